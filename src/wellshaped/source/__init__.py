"""What the user wrote and what the frames hold; nothing here runs the program."""

from wellshaped.source.frames import is_library

__all__ = ["is_library"]
