"""What every loss of torch asks of its tensors, as data, and the code that reads it."""

from wellshaped.contracts.questions import losses, modules_of

__all__ = ["losses", "modules_of"]
