"""Numbers of a program that may set a size which does not fit at a call."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from wellshaped.records.repair import Edit
from wellshaped.repair.backward_slice import Site, last_name
from wellshaped.repair.variations.spans import span_of

# Numbers in these calls choose a dimension or an amount of chance, and set no size.
NO_SIZES = frozenset(
    ("manual_seed", "seed", "squeeze", "unsqueeze", "softmax", "log_softmax", "argmax", "transpose",
     "permute", "round", "sleep", "Dropout"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SizeSource:
    """A number as it is written: its value, the edit that makes it one more, and its site."""

    value: int
    edit: Edit
    site: Site


def size_sources(
    sites: Sequence[Site], sizes: frozenset[int], texts: Mapping[str, str]
) -> list[SizeSource]:
    """The numbers of the sites, those first that are one of the sizes, or divide it."""
    found: dict[Edit, SizeSource] = {}
    for site in sites:
        for node in _numbers(site):
            edit = Edit(site.file, span_of(node, texts[site.file]), str(int(node.value) + 1))  # type: ignore[arg-type]
            found.setdefault(edit, SizeSource(int(node.value), edit, site))  # type: ignore[arg-type]
    return sorted(found.values(), key=lambda each: _distance(each.value, sizes))


def _numbers(site: Site) -> Iterator[ast.Constant]:
    for expression in site.expressions:
        skipped = {
            part
            for node in ast.walk(expression)
            if isinstance(node, ast.Call) and last_name(node.func) in NO_SIZES
            for argument in (*node.args, *node.keywords)
            for part in ast.walk(argument)
        }
        for node in ast.walk(expression):
            if (
                isinstance(node, ast.Constant)
                and type(node.value) is int
                and node.value > 1
                and node not in skipped
            ):
                yield node


def _distance(value: int, sizes: frozenset[int]) -> int:
    """How far a number is from setting one of the sizes: it is one, nearly, divides one, other."""
    if value in sizes:
        return 0
    if any(abs(value - size) <= 2 for size in sizes):
        return 1
    if any(size % value == 0 or value % size == 0 for size in sizes if size > 1):
        return 2
    return 3
