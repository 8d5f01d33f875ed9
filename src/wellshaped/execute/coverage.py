"""Follows a dry run: what was reached, which batches met the models, and when a loop has shown all.

A training loop whose iterations bring no new block and no new shapes is ended early, after its
last element: a hundred epochs say no more about shapes than the first and the last.
"""

from __future__ import annotations

import builtins
import functools
import operator
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.machinery import SourceFileLoader
from types import CodeType
from typing import Any

import torch
from torch.optim.optimizer import register_optimizer_step_post_hook

from wellshaped.execute.cpu_time import cpu_seconds
from wellshaped.execute.instrument import AGAIN, LOOP, TABLE, Block, Statement, instrument
from wellshaped.execute.loaders import batch_rows
from wellshaped.source import is_library
from wellshaped.source.internal_calls import in_internal_call

_QUIET = 2  # iterations without anything new, of a loop whose last element is known
_LONG_QUIET = 8  # of one whose length is not: a loader under it ends by itself before

_TABLES = TABLE.partition("{")[0]


@dataclass
class _Loop:
    steps: int
    news: tuple[int, int] = (-1, -1)
    quiet: int = 0


@dataclass
class Coverage:
    """What a run showed so far. Within `patience`, in CPU seconds, no loop is ended early.

    `leading` are the first sizes of what user code handed to its models, the last one
    `current`; `axes` the other sizes there and of what came back. `shortened` is whether a
    loop was ended early.
    """

    patience: float = float("inf")
    blocks: dict[str, tuple[Block, ...]] = field(default_factory=dict)
    statements: dict[str, tuple[Statement, ...]] = field(default_factory=dict)
    tables: dict[str, bytearray] = field(default_factory=dict)
    leading: set[int] = field(default_factory=set)
    current: int | None = None
    axes: set[int] = field(default_factory=set)
    steps: int = 0
    shortened: bool = False
    _shapes: set[Any] = field(default_factory=set)
    _start: float = field(default_factory=cpu_seconds)
    _depth: int = 0
    _whiles: dict[str, _Loop] = field(default_factory=dict)
    _batch: int | None = None
    _reached: dict[str, dict[int | None, int]] = field(default_factory=dict)

    def compiled(self, source: bytes | str, path: str, flags: int = 0) -> CodeType:
        """Compile a file of the user's with marks; the plain code where that is not possible."""
        number = len(self.tables)
        try:
            found = instrument(source, path, number, flags)
        except (SyntaxError, ValueError, RecursionError):
            plain: CodeType = compile(source, path, "exec", flags, dont_inherit=True)
            return plain
        self.blocks[path], self.statements[path] = found.blocks, found.statements
        self.tables[path] = bytearray(len(found.statements))
        setattr(builtins, TABLE.format(number), self.tables[path])
        return found.code

    def unreached(self) -> Iterator[tuple[str, Block]]:
        """Blocks that were never entered and whose surroundings were, outermost ones only."""
        for path, blocks in self.blocks.items():
            reached = self._ever(path)
            covered = 0
            missed = [block for block in blocks if not reached >> 8 * block.first & 1]
            for block in sorted(missed, key=lambda each: (each.line, -each.end_line)):
                if block.line > covered and block.tells:
                    covered = block.end_line
                    yield path, block

    def turn(self, rows: int | None) -> None:
        """A loader gives a batch: statements that run from now on run with its rows."""
        for path in self.tables:
            self._fold(path)
        self._batch = rows

    def reached(self) -> dict[str, tuple[tuple[Statement, frozenset[int | None]], ...]]:
        """The statements that ran, by file, with the rows of the batches they ran with.

        None stands for no batch of a loader.
        """
        self.turn(self._batch)
        return {path: tuple(self._of_file(path)) for path in self.tables}

    def _of_file(self, path: str) -> Iterator[tuple[Statement, frozenset[int | None]]]:
        reached = self._reached.get(path, {})
        for place, statement in enumerate(self.statements[path]):
            rows = frozenset(each for each, bits in reached.items() if bits >> 8 * place & 1)
            if rows:
                yield statement, rows

    def _fold(self, path: str) -> None:
        """Keep what a table shows with the batch it was with, and begin a new one."""
        table = self.tables[path]
        bits = int.from_bytes(table, "little")  # a byte for each statement
        if bits:
            reached = self._reached.setdefault(path, {})
            reached[self._batch] = reached.get(self._batch, 0) | bits
            table[:] = bytes(len(table))

    def _ever(self, path: str) -> int:
        self._fold(path)
        return functools.reduce(operator.or_, self._reached.get(path, {}).values(), 0)

    def in_a_hurry(self) -> bool:
        """Whether loops that show nothing new may end."""
        return cpu_seconds() - self._start > self.patience

    def loop(self, _: str, iterable: Iterable[Any]) -> Iterator[Any]:
        """The elements of a loop of the program, or the first ones and the last."""
        known = isinstance(iterable, range | list | tuple)
        place = _Loop(self.steps)
        for count, item in enumerate(iterable, 1):
            yield item
            if self._is_stale(place, _QUIET if known else _LONG_QUIET):
                left = len(iterable) - count if known else 2  # type: ignore[arg-type]
                self.shortened |= left > 1
                if known and left > 0:
                    yield iterable[-1]  # type: ignore[index]
                return

    def again(self, key: str, test: Any) -> bool:
        """Whether a `while` loop of the program goes on."""
        if not test:
            self._whiles.pop(key, None)
            return False
        place = self._whiles.setdefault(key, _Loop(self.steps))
        if self._is_stale(place, _LONG_QUIET):
            self.shortened = True
            self._whiles.pop(key, None)
            return False
        return True

    def _is_stale(self, loop: _Loop, enough: int) -> bool:
        """Whether its last iterations trained and showed nothing new."""
        if self.steps == loop.steps:
            return False
        loop.steps = self.steps
        news = (sum(self._ever(path).bit_count() for path in self.tables), len(self._shapes))
        loop.quiet = loop.quiet + 1 if news == loop.news else 0
        loop.news = news
        return loop.quiet >= enough and self.in_a_hurry()

    def _enter(self, module: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        given = (*args, *kwargs.values())
        rows = batch_rows(given)
        if rows is not None:
            self.leading.add(rows)
            self.current = rows
        shapes = (type(module), *map(_shape, given))
        if shapes not in self._shapes:
            self._shapes.add(shapes)
            self._note(given)

    def _note(self, values: Iterable[Any]) -> None:
        """Keep the other sizes of what has the rows of the batch first (a hidden state has not)."""
        for value in values:
            if isinstance(value, torch.Tensor) and value.shape[:1] == (self.current,):
                self.axes.update(value.shape[1:])


def _shape(value: Any) -> Any:
    return tuple(value.shape) if isinstance(value, torch.Tensor) else type(value)


@contextmanager
def track_coverage(patience: float = float("inf")) -> Iterator[Coverage]:
    """Follow the program that runs in the block; in a process made for it."""
    follow = Coverage(patience)
    plain_call = torch.nn.Module.__call__
    plain_code = SourceFileLoader.get_code

    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        if in_internal_call():
            return plain_call(self, *args, **kwargs)
        if follow._depth == 0:
            follow._enter(self, args, kwargs)
        follow._depth += 1
        try:
            result = plain_call(self, *args, **kwargs)
        finally:
            follow._depth -= 1
        if follow._depth == 0:
            follow._note(result if isinstance(result, tuple) else (result,))
        return result

    def get_code(self: Any, name: str) -> CodeType | None:
        path = self.get_filename(name)
        if is_library(path):
            return plain_code(self, name)
        return follow.compiled(self.get_data(path), path)

    def stepped(*_: Any) -> None:
        follow.steps += 1

    setattr(builtins, LOOP, follow.loop)
    setattr(builtins, AGAIN, follow.again)
    torch.nn.Module.__call__ = call  # type: ignore[method-assign]
    SourceFileLoader.get_code = get_code  # type: ignore[method-assign,assignment]
    handle = register_optimizer_step_post_hook(stepped)
    try:
        yield follow
    finally:
        handle.remove()
        SourceFileLoader.get_code = plain_code  # type: ignore[method-assign]
        torch.nn.Module.__call__ = plain_call  # type: ignore[method-assign]
        for name in [LOOP, AGAIN, *(TABLE.format(n) for n in range(len(follow.tables)))]:
            delattr(builtins, name)


@contextmanager
def untracked() -> Iterator[None]:
    """What runs in the block is no part of the program: blocks it reaches stay as they were."""
    tables = [value for name, value in vars(builtins).items() if name.startswith(_TABLES)]
    before = [bytes(table) for table in tables]
    try:
        yield
    finally:
        for table, old in zip(tables, before, strict=True):
            table[:] = old
