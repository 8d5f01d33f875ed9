"""What can be known of values that are not there: class numbers are below the number of classes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import torch

_ATTRIBUTE = "_wellshaped_mark"


@dataclass(frozen=True, slots=True)
class ValueRange:
    """What is known of a fake tensor's values: integers below `high`, or likely `guess`."""

    high: int | None = None
    guess: bool | int | None = None


_NOTHING = ValueRange()


def value_range_of(tensor: Any) -> ValueRange:
    """What was noted about a tensor's values."""
    found = getattr(tensor, _ATTRIBUTE, _NOTHING)
    assert isinstance(found, ValueRange)
    return found


def assumed_selected(count: int) -> int:
    """How many of `count` elements a condition is taken to select."""
    return max(1, count // 2) if count else 0


def note_value_range(name: str, args: Sequence[Any], result: Any) -> None:
    """Note on the result of an operation what follows about its values from its arguments."""
    rule = _RULES.get(name)
    if rule is None:
        return
    first = result[-1] if isinstance(result, (tuple, list)) else result
    if isinstance(first, torch.Tensor) and not first.dtype.is_floating_point:
        known = rule(args, first)
        if known is not _NOTHING:
            setattr(first, _ATTRIBUTE, known)


def _position(args: Sequence[Any], _: torch.Tensor) -> ValueRange:
    """A position along the axis that was searched, or in the whole tensor."""
    axis = args[1] if len(args) > 1 else None
    return ValueRange(
        high=args[0].numel() if axis is None or args[0].dim() == 0 else args[0].size(axis)
    )


def _position_last(args: Sequence[Any], _: torch.Tensor) -> ValueRange:
    """As `_position`, for `topk` and `sort`, where the axis is a later argument or the last."""
    axes = [each for each in args[1:] if type(each) is int]
    axis = axes[1] if len(axes) > 1 else -1
    return ValueRange(high=args[0].size(axis) if args[0].dim() else 1)


def _drawn(args: Sequence[Any], _: torch.Tensor) -> ValueRange:
    return ValueRange(high=args[0].size(-1))


def _same(args: Sequence[Any], _: torch.Tensor) -> ValueRange:
    first = args[0][0] if isinstance(args[0], (list, tuple)) else args[0]
    return value_range_of(first)


def _opposite(args: Sequence[Any], _: torch.Tensor) -> ValueRange:
    guess = value_range_of(args[0]).guess
    return _NOTHING if guess is None else ValueRange(guess=not guess)


def _both(args: Sequence[Any], result: torch.Tensor) -> ValueRange:
    """Of two conditions with known answers; `mul` is how `isfinite` joins its two."""
    guesses = [value_range_of(each).guess for each in args[:2]]
    if result.dtype is not torch.bool or None in guesses:
        return _NOTHING
    return ValueRange(guess=all(guesses))


def _either(args: Sequence[Any], result: torch.Tensor) -> ValueRange:
    guesses = [value_range_of(each).guess for each in args[:2]]
    if result.dtype is not torch.bool or None in guesses:
        return _NOTHING
    return ValueRange(guess=any(guesses))


def _count(args: Sequence[Any], _: torch.Tensor) -> ValueRange:
    """How many are true: the number that selecting by the same condition is taken to give."""
    return (
        ValueRange(guess=assumed_selected(args[0].numel()))
        if args[0].dtype is torch.bool
        else _NOTHING
    )


def _compared(answer: bool) -> Callable[[Sequence[Any], torch.Tensor], ValueRange]:
    """A tensor compared with itself (`isnan`), or with infinity (`isfinite`, `isinf`)."""

    def rule(args: Sequence[Any], _: torch.Tensor) -> ValueRange:
        if args[0] is args[1]:
            return ValueRange(guess=answer)
        infinite = not isinstance(args[1], torch.Tensor) and args[1] in (inf, -inf)
        return ValueRange(guess=not answer) if infinite else _NOTHING

    return rule


def _settled(guess: bool) -> Callable[[Sequence[Any], torch.Tensor], ValueRange]:
    return lambda *_: ValueRange(guess=guess)


_SHAPE_ONLY = (
    "view _unsafe_view reshape squeeze unsqueeze select slice index index_select gather clone "
    "detach alias expand t transpose permute _to_copy cat stack repeat any all flip unbind split"
)
_RULES: dict[str, Callable[[Sequence[Any], torch.Tensor], ValueRange]] = {
    **dict.fromkeys(_SHAPE_ONLY.split(), _same),
    **dict.fromkeys(("argmax", "argmin", "max", "min", "median", "mode"), _position),
    **dict.fromkeys(("topk", "sort", "kthvalue", "argsort"), _position_last),
    **dict.fromkeys(("bitwise_not", "logical_not"), _opposite),
    **dict.fromkeys(("mul", "bitwise_and", "logical_and"), _both),
    **dict.fromkeys(("bitwise_or", "logical_or"), _either),
    **dict.fromkeys(("isnan", "isinf", "_is_any_true"), _settled(False)),
    "_is_all_true": _settled(True),
    "multinomial": _drawn,
    "sum": _count,
    "eq": _compared(True),
    "ne": _compared(False),
}
