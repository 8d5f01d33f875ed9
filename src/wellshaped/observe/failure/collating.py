"""Reads the default collate of a DataLoader that failed: its samples, and who made them."""

from __future__ import annotations

import ast
import re
from itertools import takewhile
from types import FunctionType
from typing import Any

from torch._utils import ExceptionWrapper
from torch.utils.data import ConcatDataset, Subset

from wellshaped.records.observation import Observation, Operand, Origin
from wellshaped.records.shape import TensorFact
from wellshaped.records.source import Passage
from wellshaped.source.code import source_of
from wellshaped.source.frames import Stop, is_library
from wellshaped.source.loader_samples import loader_of, parts_of, surroundings
from wellshaped.source.scope import Scope
from wellshaped.source.values import fact_of

_FRAME = re.compile(r'  File "(.+)", line \d+, in (\w+)')
_HEADER = "Traceback (most recent call last):\n"
_COLLATING = ("collate_tensor_fn", "collate")


def observe_collate(
    inner: list[Stop],
    node: ast.AST | None,
    scope: Scope | None,
    passage: Passage,
    callers: tuple[Passage, ...],
) -> Observation | None:
    """The samples that did not fit together; None when it was not collate that failed."""
    if not inner:
        return None
    last = inner[-1]
    if _collates(last.file, last.name):
        batch = last.frame.f_locals.get("batch") or ()
        samples = [_fact(each) for each in batch]
        field = _field(inner, batch)
    elif _in_worker(last):
        samples, field = [None], None
    else:
        return None
    dataset = _dataset(inner)
    born = _returned(dataset, field)
    operands = tuple(Operand(f"sample {i}", fact, origins=born) for i, fact in enumerate(samples))
    options: dict[str, Any] = {"dataset": type(dataset).__name__}
    options |= {} if field is None else {"field": field}
    loader = loader_of(node, scope)
    if loader and loader[0].passage is not None:
        options |= {"parts": parts_of(_fetched(inner))}
        options |= surroundings(loader[0].passage, _returned(dataset, None))
    return Observation(
        "collate", "stack", "DataLoader", passage, (*operands, *loader), options, callers=callers
    )


def _collates(file: str, function: str) -> bool:
    return file.endswith("collate.py") and "torch" in file and function in _COLLATING


def _fact(sample: Any) -> TensorFact | None:
    """Of a tensor; a list of numbers counts as an axis of its length."""
    return TensorFact((len(sample),)) if isinstance(sample, (list, tuple)) else fact_of(sample)


def _in_worker(last: Stop) -> bool:
    """Whether a worker handed over a failure of its own collate.

    Its frames are gone and survive as the lines of a traceback. Those lines are read here,
    as frames are elsewhere; the message below them is not.
    """
    wrapper = last.frame.f_locals.get("self")
    if not isinstance(wrapper, ExceptionWrapper) or wrapper.exc_type is not RuntimeError:
        return False
    traceback = str(wrapper.exc_msg).rpartition(_HEADER)[2].splitlines()
    frames = [_FRAME.match(line) for line in takewhile(lambda line: line[:2] == "  ", traceback)]
    known = [found.groups() for found in frames if found]
    return bool(known) and _collates(*known[-1])


def _dataset(inner: list[Stop]) -> Any:
    """The data set behind the loader, without the subsets torch wraps around it."""
    found = None
    for stop in inner:
        found = getattr(stop.frame.f_locals.get("self"), "_dataset", found)
    while isinstance(found, (Subset, ConcatDataset)):
        found = found.dataset if isinstance(found, Subset) else found.datasets[0]
    return found


def _fetched(inner: list[Stop]) -> Any:
    """The samples of the batch, as the loader got them."""
    return next((stop.frame.f_locals.get("data") for stop in inner if stop.name == "fetch"), None)


def _field(inner: list[Stop], batch: Any) -> int | str | None:
    """The place of the ragged tensors in a sample: an index, or a key."""
    data = _fetched(inner)
    sample = data[0] if isinstance(data, list) and data else None
    if isinstance(sample, tuple):
        parts: Any = enumerate(sample)
    elif isinstance(sample, dict):
        parts = sample.items()
    else:
        return None
    # An array becomes a tensor on the way: then its shape must tell.
    same = [key for key, part in parts if part is batch[0] or _shape(part) == _shape(batch[0])]
    return same[0] if len(same) == 1 and isinstance(same[0], (int, str)) else None


def _shape(value: Any) -> Any:
    shape = getattr(value, "shape", None)
    return value if shape is None else tuple(shape)


def _returned(dataset: Any, field: int | str | None) -> tuple[Origin, ...]:
    """Where the data set returns a sample, or that part of it."""
    method = getattr(type(dataset), "__getitem__", None) or getattr(type(dataset), "__iter__", None)
    if not isinstance(method, FunctionType) or is_library(method.__code__.co_filename):
        return ()
    source = source_of(method.__code__.co_filename)
    if source is None:
        return ()
    body = source.function_at(method.__code__.co_firstlineno, method.__name__)
    if body is None:
        return ()
    given = [node.value for node in ast.walk(body) if isinstance(node, (ast.Return, ast.Yield))]
    return tuple(
        Origin(method.__name__, source.passage(_part(value, field))) for value in given if value
    )


def _part(value: ast.expr, field: int | str | None) -> ast.expr:
    if isinstance(value, ast.Tuple) and isinstance(field, int) and field < len(value.elts):
        return value.elts[field]
    if isinstance(value, ast.Dict):
        for key, part in zip(value.keys, value.values, strict=True):
            if isinstance(key, ast.Constant) and key.value == field:
                return part
    return value
