"""Why a program could not be run, as the lines of a traceback."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from wellshaped.records.failure import Failure, Frame
from wellshaped.report.formats.machine import shown_file
from wellshaped.report.text.width import visible


def failure_lines(failure: Failure) -> Iterator[str]:
    """Its frames, or what the program itself wrote."""
    yield from frame_lines(failure.frames)
    yield from map(visible, failure.output)


def frame_lines(frames: Iterable[Frame]) -> Iterator[str]:
    """Frames as Python prints them, but for what a terminal would obey."""
    for frame in frames:
        place = f'File "{visible(shown_file(frame.file))}", line {frame.line}'
        yield f"{place}, in {visible(frame.function)}" if frame.function else place
        if frame.text:
            yield f"  {visible(frame.text)}"
