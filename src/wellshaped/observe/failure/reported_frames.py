"""Failures of a worker or a compiler, which arrive without frames, as text.

A worker of a `DataLoader` hands over the lines of its traceback, and `torch.compile` those of the
user's code. They are read here as frames are elsewhere: file, line, function and the marked
expression; the message is not read. What the names held is known as far as the text of the program
shows it, and of a data set what its attributes hold.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from types import FunctionType
from typing import Any, NamedTuple

from torch._utils import ExceptionWrapper

from wellshaped.observe.failure.tensors_behind import tensors_behind
from wellshaped.records.observation import Observation, Operand
from wellshaped.records.source import Passage
from wellshaped.source import Scope, Source, Stop, is_library, source_of

_FRAME = re.compile(r'^ *File "(?P<file>.+)", line (?P<line>\d+), in (?P<name>\S+)$')


class ReportedFrame(NamedTuple):
    """A frame of a traceback that was handed over as text."""

    file: str
    line: int
    name: str


def reported_frames(text: str) -> list[ReportedFrame]:
    """The frames that a text lists, the outermost first."""
    found = (_FRAME.match(each) for each in text.splitlines())
    return [ReportedFrame(each["file"], int(each["line"]), each["name"]) for each in found if each]


def observe_reported(
    error: BaseException, inner: list[Stop], scope: Scope | None, node: ast.AST | None,
    callers: tuple[Passage, ...], passage: Passage,
) -> Observation | None:  # fmt: skip
    """The innermost line of the user's in a handed over traceback, with what is known there."""
    read = _read(error, inner)
    if read is None:
        return None
    source, last = read
    call = node if isinstance(node, ast.Call) else None
    function = _function(source, last)
    inside = Scope(source, function, _names(inner, scope, last), scope, call)
    for part in _calls_on(last.line, inside):
        operands = tensors_behind(part, inside)
        if operands:
            return _observed(part, source, operands, {}, (passage, *callers))
    return None


def observe_elsewhere(
    error: BaseException, inner: list[Stop], callers: tuple[Passage, ...], passage: Passage
) -> Observation | None:
    """The line that a worker reports, where no text shows what its tensors are."""
    read = _read(error, inner) if _dataset(inner) is not None else None
    if read is None:
        return None
    source, last = read
    inside = Scope(source, _function(source, last), {})
    part = next(_calls_on(last.line, inside), None)
    if part is None:
        return None
    return _observed(part, source, (), {"elsewhere": True}, (passage, *callers))


def _observed(
    part: ast.expr,
    source: Source,
    operands: tuple[Operand, ...],
    options: dict[str, Any],
    callers: tuple[Passage, ...],
) -> Observation:
    name, where = _name(part), source.passage(part)
    return Observation("operation", "reported", name, where, operands, options, callers=callers)


def _read(error: BaseException, inner: list[Stop]) -> tuple[Source, ReportedFrame] | None:
    """The user's innermost line that an error reports as text, with its source."""
    if not inner or not _hands_over(inner):
        return None
    frames = [each for each in reported_frames(str(error)) if not is_library(each.file)]
    source = source_of(frames[-1].file) if frames else None
    if source is None or _raises(source, frames[-1].line):
        return None
    return source, frames[-1]


def _raises(source: Source, line: int) -> bool:
    """Whether the program itself raises on a line, for a reason of its own."""
    found = (each for each in ast.walk(source.tree) if isinstance(each, ast.Raise))
    return any(each.lineno <= line <= (each.end_lineno or each.lineno) for each in found)


def _function(source: Source, last: ReportedFrame) -> ast.FunctionDef | None:
    """The function that a line stands in."""
    found = [each for each in ast.walk(source.tree) if isinstance(each, ast.FunctionDef)]
    around = (each for each in found if each.lineno <= last.line <= (each.end_lineno or 0))
    return next((each for each in around if each.name == last.name), None)


def _hands_over(inner: list[Stop]) -> bool:
    """Whether a worker's wrapper or the compiler raised."""
    last = inner[-1]
    wrapped = isinstance(last.frame.f_locals.get("self"), ExceptionWrapper)
    return wrapped or any("_dynamo" in each.file for each in inner)


def _names(inner: list[Stop], scope: Scope | None, last: ReportedFrame) -> Mapping[str, Any]:
    """The names of the module that the line stands in, and `self` where it is the data set."""
    names: dict[str, Any] = {}
    dataset = _dataset(inner)
    method = getattr(type(dataset), last.name, None)
    if isinstance(method, FunctionType):
        names = {**method.__globals__, "self": dataset}
    elif scope is not None and scope.source.file == last.file:
        names = dict(scope.names)
    return names


def _dataset(inner: list[Stop]) -> Any:
    """The data set of the loader whose worker failed; None where no loader is in sight."""
    held: list[Any] = [each.frame.f_locals.get("self") for each in inner]
    return next((each._dataset for each in held if hasattr(each, "_dataset")), None)


def _calls_on(line: int, scope: Scope) -> Iterator[ast.expr]:
    """The operations of the statement on a line, the outermost first."""
    wanted = (ast.BinOp, ast.Call, ast.Subscript)
    found = [
        each
        for each in ast.walk(scope.function or scope.source.tree)
        if isinstance(each, wanted) and each.lineno <= line <= (each.end_lineno or each.lineno)
    ]
    yield from sorted(found, key=lambda each: (each.lineno != line, -_length(each)))


def _length(node: ast.expr) -> int:
    return sum(1 for _ in ast.walk(node))


def _name(node: ast.expr) -> str:
    match node:
        case ast.Call(func=ast.Attribute(attr=name)) | ast.Call(func=ast.Name(id=name)):
            return name
        case ast.Subscript():
            return "[]"
    return "operator"
