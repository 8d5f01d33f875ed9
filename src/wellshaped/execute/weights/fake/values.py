"""Values for tensors that have none: seeded stand-ins, and a record of who asked for them."""

from __future__ import annotations

import random
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Literal

import torch

from wellshaped.execute.weights.fake.value_ranges import (
    ValueRange,
    assumed_selected,
    value_range_of,
)
from wellshaped.records.source import Place
from wellshaped.source.branch_expectation import expected_branch
from wellshaped.source.frames import user_place

Kind = Literal["branch", "value", "size", "text"]
_DECAY = 0.9  # `while loss > tol` ends: a line that asks again gets a smaller number
_SMALLEST = 1e-6
_HERE = str(Path(__file__).parent)
_OBSERVERS = tuple(
    str(Path(__file__).parents[3] / stage) for stage in ("source", "execute", "observe", "diagnose")
)
_TORCH = str(Path(torch.__file__).parent)


class NoValue(RuntimeError):
    """One of our own observers asked for a value: it would take a stand-in for a fact."""


@dataclass(frozen=True, slots=True)
class StandIn:
    """A line of the user's program that was answered with a value nobody computed.

    `branch`: a test was decided; `value`: a number or array was handed out; `size`: the
    length of an axis was picked; `text`: something was printed.
    """

    place: Place
    kind: Kind
    shape: tuple[int, ...]
    dtype: str


class StandIns:
    """Makes the stand-ins of one run, the same ones for the same seed."""

    def __init__(self, seed: int):
        self._random = random.Random(seed)
        self._numbers = torch.Generator().manual_seed(seed)
        self._asked: Counter[Place] = Counter()
        self._records: dict[tuple[Place, Kind], StandIn] = {}

    @property
    def records(self) -> tuple[StandIn, ...]:
        """One record for each line and kind, in the order they came."""
        return tuple(self._records.values())

    def note(self, kind: Kind, tensor: torch.Tensor) -> Place:
        """Record that the user's line was answered without a value."""
        if _observer_asks():
            raise NoValue("this tensor has no values")
        place = user_place()
        dtype = str(tensor.dtype).removeprefix("torch.")
        self._records.setdefault((place, kind), StandIn(place, kind, tuple(tensor.shape), dtype))
        return place

    def number(self, tensor: torch.Tensor, *, kind: Kind = "value") -> bool | int | float | complex:
        """A Python number for a tensor of one element."""
        place = self.note(kind, tensor)
        dtype, mark = tensor.dtype, value_range_of(tensor)
        if dtype is torch.bool:
            return self._truth(mark)
        if not (dtype.is_floating_point or dtype.is_complex):
            return self._integer(mark)
        self._asked[place] += 1
        size = self._random.uniform(0.25, 1.0) * _DECAY ** self._asked[place]
        return complex(size) if dtype.is_complex else max(size, _SMALLEST)

    def branch(self, tensor: torch.Tensor, frame: FrameType | None) -> bool:
        """The answer to `if tensor:`."""
        self.note("branch", tensor)
        mark = value_range_of(tensor)
        hope = None if frame is None or mark.guess is not None else expected_branch(frame)
        return self._truth(mark) if hope is None else hope

    def filled(self, tensor: torch.Tensor, *, kind: Kind = "value") -> torch.Tensor:
        """A real tensor of the same shape and dtype."""
        self.note(kind, tensor)
        shape, dtype = tuple(tensor.shape), tensor.dtype
        if dtype.is_floating_point or dtype.is_complex:
            return torch.rand(shape, generator=self._numbers).to(dtype)
        high = 2 if dtype is torch.bool else value_range_of(tensor).high or 2
        return torch.randint(high, shape, generator=self._numbers).to(dtype)

    def selected(self, mask: torch.Tensor) -> int:
        """How many elements a condition on unknown values selects: the same for one mask."""
        self.note("size", mask)
        return assumed_selected(mask.numel())

    def _truth(self, mark: ValueRange) -> bool:
        return self._random.random() < 0.5 if mark.guess is None else bool(mark.guess)

    def _integer(self, mark: ValueRange) -> int:
        if mark.guess is not None:
            return int(mark.guess)
        return 1 if mark.high is None else self._random.randrange(max(mark.high, 1))


def asking_frame() -> FrameType | None:
    """The frame that asked: the innermost one that is neither ours nor torch's dispatch."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and _is_between(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def _is_between(file: str) -> bool:
    return file.startswith(_HERE) or file.endswith("torch/overrides.py")


def _observer_asks() -> bool:
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename.startswith((_HERE, _TORCH)):
        frame = frame.f_back
    return frame is not None and frame.f_code.co_filename.startswith(_OBSERVERS)
