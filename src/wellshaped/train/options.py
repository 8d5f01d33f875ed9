"""Settings as frozen records, whose fields say what they are for and in which range they are.

The options of a command derive from the fields: a setting is written once.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass, replace
from types import NoneType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from wellshaped.records.phrase import UserError

S = TypeVar("S")

_OPTION = "option"


@dataclass(frozen=True, slots=True)
class Option:
    """What a field says of itself.

    `least` is its least value; `const` what it is where the option is given without a value;
    `negated` the flag that switches off what is on without it.
    """

    help: str
    least: int | None = None
    const: int | None = None
    negated: str = ""


@dataclass(frozen=True, slots=True)
class Setting:
    """A field of settings, by its flat name, as a command declares it."""

    name: str
    type: type[Any]
    choices: tuple[str, ...]
    option: Option


def option(
    default: Any,
    help: str = "",
    *,
    least: int | None = None,
    const: int | None = None,
    negated: str = "",
) -> Any:
    """A field that is an option of the command as well; one without this is for Python alone."""
    return field(default=default, metadata={_OPTION: Option(help, least, const, negated)})


def settings_of(kind: type[Any]) -> Iterator[Setting]:
    """The options of a record of settings, and of the records in it."""
    for name, hint in _hints(kind).items():
        if is_dataclass(hint):
            assert isinstance(hint, type)
            yield from settings_of(hint)
            continue
        found = _option(kind, name)
        if found is not None:
            choices = _choices(hint)
            yield Setting(name, str if choices else _plain_type(hint), choices, found)


def settings_from(kind: type[S], given: Mapping[str, Any]) -> S:
    """The record from flat names, such as `learning_rate` or `lora`, whichever part has them."""
    left = dict(given)
    made = kind(**_taken(kind, left))
    for name in left:
        raise UserError("WS988", "unknown_setting", name=name)
    return made


def check_settings(settings: Any) -> None:
    """Raise for the first setting that is out of its range, or none of its choices."""
    for name, hint in _hints(type(settings)).items():
        value, found, known = getattr(settings, name), _option(type(settings), name), _choices(hint)
        if known and value not in known:
            raise UserError("WS988", "setting_choice", name=name, known=", ".join(known), got=value)
        least = None if found is None else found.least
        if least is None or value is None:
            continue
        if not (math.isfinite(value) and value >= least):
            raise UserError("WS988", "setting_range", name=name, least=str(least), got=value)


def require_share(hold_out: float) -> None:
    """Raise where a share of the data cannot be held out."""
    if not 0 <= hold_out < 1:
        raise UserError("WS988", "hold_out_share", got=hold_out)


def _taken(kind: type[Any], left: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a record, taken out of what is left; its parts keep their own defaults."""
    found: dict[str, Any] = {}
    hints = _hints(kind)
    for each in fields(kind):
        if is_dataclass(hints[each.name]):
            assert each.default_factory is not MISSING
            part: Any = each.default_factory()
            found[each.name] = replace(part, **_taken(type(part), left))
        elif each.name in left:
            found[each.name] = left.pop(each.name)
    return found


def _hints(kind: type[Any]) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {each.name: hints[each.name] for each in fields(kind)}


def _option(kind: type[Any], name: str) -> Option | None:
    """What a field says of itself, or the one whose default it changes."""
    for each in kind.__mro__:
        found = getattr(each, "__dataclass_fields__", {}).get(name)
        if found is not None and _OPTION in found.metadata:
            said: Option = found.metadata[_OPTION]
            return said
    return None


def _choices(hint: Any) -> tuple[str, ...]:
    return get_args(hint) if get_origin(hint) is Literal else ()


def _plain_type(hint: Any) -> type[Any]:
    """`int` of `int | None`."""
    plain: type[Any] = next((each for each in get_args(hint) if each is not NoneType), hint)
    return plain
