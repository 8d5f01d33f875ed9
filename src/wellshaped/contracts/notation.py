"""The notation in which a contract is written: named axes, one line per arrangement.

    input (B, C, *S)  target (B, *S)  weight? (C)

- `B`, `C`: one axis; the same letter is the same size everywhere in the line.
- `1`: an axis of exactly that size.
- `*S`: any number of axes, the same ones everywhere.
- `weight?`: the argument may be missing (None, or a plain number).
- `weight <(B, C)`: any shape that broadcasts into `(B, C)` without enlarging it.
- `target (*S)/1`: as written, or with one of the axes shrunk to size 1.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

Fit = Literal["exact", "into", "one"]
_TERM = re.compile(r"(\w+)(\?)?\s+(<)?\(([^)]*)\)(/1)?")
_AXIS = re.compile(r"\*?[A-Z]|1")


@dataclass(frozen=True, slots=True)
class Term:
    """One argument of an arrangement and the axes it must have."""

    argument: str
    optional: bool
    fit: Fit
    axes: tuple[str, ...]


@cache
def parse_arrangement(arrangement: str) -> tuple[Term, ...]:
    """Read one line of the notation."""
    leftover = _TERM.sub("", arrangement).strip()
    if leftover:
        raise ValueError(f"not in the notation: {leftover!r} in {arrangement!r}")
    return tuple(_term(match) for match in _TERM.finditer(arrangement))


def _term(match: re.Match[str]) -> Term:
    name, optional, into, inner, one = match.groups()
    axes = tuple(axis.strip() for axis in inner.split(",") if axis.strip())
    if not all(_AXIS.fullmatch(axis) for axis in axes):
        raise ValueError(f"not an axis in {match.group()!r}")
    if sum(axis.startswith("*") for axis in axes) > 1:
        raise ValueError(f"two runs of axes in {match.group()!r}")
    fit: Fit = "into" if into else "one" if one else "exact"
    return Term(name, bool(optional), fit, axes)
