"""Finds the numbers of a program that set the sizes which do not fit at a call.

A number is made one more in a child, and the sizes at the call are compared: what changes there
is set by it. No text is read for what a name may mean.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from wellshaped.execute import Program
from wellshaped.observe import RunResult, Setting
from wellshaped.pipeline.sweep import side_by_side
from wellshaped.records.finding import SizeOrigin
from wellshaped.records.observation import Observation
from wellshaped.records.repair import Edit
from wellshaped.records.source import Place, Span
from wellshaped.repair import (
    SizeMismatch,
    SizeSource,
    SizeSpot,
    conflict_of,
    edited_sources,
    passage_of,
    size_sources,
    sizes_at_call,
    slice_of,
)

_MOST_RUNS = 8
_AT_A_TIME = 2

Where = tuple[str, Span]


@dataclass
class SizeOrigins:
    """A search for the numbers behind the sizes of one failing call; `spent` is its CPU time.

    `equated` are numbers of which it is known that the program runs once they are the other size:
    they are not tried again.
    """

    program: Program
    ran: RunResult
    base: Setting
    seconds: float
    equated: Collection[Where] = ()
    spent: float = 0.0
    known: dict[tuple[SizeMismatch, SizeSpot], SizeSource] = field(default_factory=dict)

    def find(self, observation: Observation) -> tuple[SizeOrigin, ...]:
        """An origin for each side of the sizes that met, as far as the runs show one."""
        meetings = conflict_of(observation).meetings
        if not meetings or observation.kind == "silent":
            return ()
        files = self.ran.files
        sizes = frozenset(spot.size for each in meetings for spot in each.sides)
        sources = size_sources(slice_of(observation, files), sizes, files)
        for source in sources:
            if _where(source) in self.equated:
                self._note_equated(source, meetings)
        rest = [each for each in sources if _where(each) not in self.equated]
        self._try(rest[:_MOST_RUNS], observation, meetings)
        return self._origins(meetings)

    def _note_equated(self, source: SizeSource, meetings: Sequence[SizeMismatch]) -> None:
        for meeting in meetings:
            for spot in meeting.sides:
                if spot.size == source.value:
                    self.known.setdefault((meeting, spot), source)

    def _try(
        self,
        sources: Sequence[SizeSource],
        observation: Observation,
        meetings: Sequence[SizeMismatch],
    ) -> None:
        for start in range(0, len(sources), _AT_A_TIME):
            if self.spent > self.seconds or self._is_settled(meetings):
                return
            group = sources[start : start + _AT_A_TIME]
            settings = [(self.program, self._with(each)) for each in group]
            runs = side_by_side(settings, self.seconds)
            self.spent += sum(each.seconds for each in runs)
            for source, ran in zip(group, runs, strict=True):
                self._compare(source, ran, observation, meetings)

    def _with(self, source: SizeSource) -> Setting:
        texts = edited_sources((source.edit,), self.ran.files) or {}
        changed = {file: text for file, text in texts.items() if text != self.ran.files[file]}
        return replace(self.base, sources=changed)

    def _compare(
        self,
        source: SizeSource,
        ran: RunResult,
        observation: Observation,
        meetings: Sequence[SizeMismatch],
    ) -> None:
        """Note the sides of which a number sets one, and not the other with it."""
        if ran.observation is None or not _same_call(ran.observation, observation):
            return
        before, after = _sizes(observation), _sizes(ran.observation)
        for meeting in meetings:
            moved = [
                spot
                for spot in meeting.sides
                if _key(spot) in after and after[_key(spot)] != before.get(_key(spot))
            ]
            if len(moved) == 1:
                self.known.setdefault((meeting, moved[0]), source)

    def _is_settled(self, meetings: Sequence[SizeMismatch]) -> bool:
        return any(all((each, spot) in self.known for spot in each.sides) for each in meetings)

    def _origins(self, meetings: Sequence[SizeMismatch]) -> tuple[SizeOrigin, ...]:
        """The origins of the sizes of which most is known, the sides in their order."""
        best = max(meetings, key=lambda each: sum((each, s) in self.known for s in each.sides))
        found = [(spot, self.known.get((best, spot))) for spot in best.sides]
        return tuple(self._origin(spot, source) for spot, source in found if source is not None)

    def _origin(self, spot: SizeSpot, source: SizeSource) -> SizeOrigin:
        passage = passage_of(source.edit, self.ran.files[source.edit.file])
        path = tuple(Place(file, line, "") for file, line in source.site.path)
        return SizeOrigin(spot.size, spot.name, spot.dim, source.value, passage, path)


def odd_one_out(origins: Sequence[SizeOrigin], files: Mapping[str, str]) -> SizeOrigin | None:
    """The origin that fewer numbers of the program agree with; None where none stands out."""
    if len(origins) < 2:
        return origins[0] if origins else None
    ranked = sorted(origins, key=lambda each: _agreeing(each.value, files))
    least, next_least = (_agreeing(each.value, files) for each in ranked[:2])
    return ranked[0] if least < next_least else None


def _agreeing(value: int, files: Mapping[str, str]) -> int:
    return sum(len(re.findall(rf"(?<![\w.]){value}(?![\w.])", text)) for text in files.values())


def _where(source: SizeSource) -> Where:
    return source.edit.file, source.edit.span


def edit_where(edit: Edit) -> Where:
    """The place of an edit, as numbers that are equated are named by."""
    return edit.file, edit.span


def _same_call(one: Observation, other: Observation) -> bool:
    return (one.callee, one.passage.place, one.layer) == (
        other.callee,
        other.passage.place,
        other.layer,
    )


def _key(spot: SizeSpot) -> tuple[str, int | None]:
    return spot.name, spot.dim


def _sizes(observation: Observation) -> dict[tuple[str, int | None], int]:
    met = {
        _key(spot): spot.size for each in conflict_of(observation).meetings for spot in each.sides
    }
    return sizes_at_call(observation) | met
