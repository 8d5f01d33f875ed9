"""Shape flow: the steps by which each tensor came to the call where they meet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from wellshaped.records.check import Swept
from wellshaped.records.diagnosis import Diagnosis
from wellshaped.records.fix import Size
from wellshaped.records.source import Passage

# missing: an axis that ought to be there; its size is what it would be.
AxisState = Literal["fits", "wrong", "missing", "added"]
_TOLD: tuple[AxisState, ...] = ("wrong", "missing", "added")


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis of a tensor: its size, its letter (empty where nothing names it), and its state."""

    size: int
    name: str = ""
    state: AxisState = "fits"


Axes = tuple[Axis, ...]


@dataclass(frozen=True, slots=True)
class Stage:
    """A step of the way: the operation that was done and what came of it; None if unknown."""

    operation: str
    text: str
    axes: Axes | None
    dtype: str = ""
    passage: Passage | None = None

    @property
    def shape(self) -> tuple[int, ...] | None:
        """The sizes of its axes."""
        return None if self.axes is None else tuple(axis.size for axis in self.axes)


@dataclass(frozen=True, slots=True)
class Lane:
    """The way of one tensor; its last stage is the tensor as the call gets it.

    `change` is what the repair puts behind it, or in its place; empty where it stays.
    """

    role: str
    stages: tuple[Stage, ...]
    blamed: bool = False
    change: str = ""


@dataclass(frozen=True, slots=True)
class Meeting:
    """The call at one batch size: what arrives, as written and repaired, and what comes of it.

    `before` and `after` tell whether that is right (None: not known), `wrong` the same of each
    popular repair that does not hold.
    """

    batch: int
    before: bool | None
    after: bool | None
    arrives: tuple[Axes | None, ...]
    repaired: tuple[Axes | None, ...] = ()
    wrong: tuple[bool | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Flow:
    """All lanes of a fault, the call where they meet, and that call at several batch sizes."""

    label: str
    lanes: tuple[Lane, ...]
    batch: int = 0
    meetings: tuple[Meeting, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The letters of all axes, in the order they are met."""
        return tuple(dict.fromkeys(axis.name for axis in self._every() if axis.name))

    @property
    def states(self) -> tuple[AxisState, ...]:
        """The states other than fitting that some axis is in, in the order of the legend."""
        found = {axis.state for axis in self._every()}
        return tuple(each for each in _TOLD if each in found)

    def _every(self) -> Iterator[Axis]:
        for lane in self.lanes:
            for stage in lane.stages:
                yield from stage.axes or ()
        for meeting in self.meetings:
            for axes in meeting.arrives + meeting.repaired:
                yield from axes or ()


@dataclass(frozen=True, slots=True)
class Pictured:
    """A fault with its flow: all that a page shows of it."""

    diagnosis: Diagnosis
    flow: Flow
    swept: Swept | None = None
    sizes: tuple[Size, ...] = ()
