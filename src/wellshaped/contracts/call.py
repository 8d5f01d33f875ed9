"""From the arguments of a call to the facts a contract reads."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from wellshaped.contracts.contract import Contract
from wellshaped.contracts.registry import (
    MODULES,
    ROWS,
    contract_of_function,
    contract_of_instance,
    contract_of_module,
    parameters,
)
from wellshaped.records.shape import DTYPES, TensorFact

_MISSING: Any = inspect.Parameter.empty


class BadCall(ValueError):
    """A call of ours that cannot be answered; `code` names the reason."""

    def __init__(self, code: str, text: str):
        super().__init__(code, text)
        self.code = code

    def __str__(self) -> str:
        return ": ".join(self.args)


@dataclass(frozen=True, slots=True)
class Target:
    """A loss that was named: its contract, and the options a module instance carries."""

    contract: Contract
    preset: Mapping[str, Any]


def resolve_loss(loss: Any) -> Target:
    """Find the contract of a functional, a module instance, a module class or a name."""
    row: Contract | None = None
    preset: Mapping[str, Any] = {}
    if isinstance(loss, str):
        row = ROWS.get(loss) or MODULES.get(loss)
    elif isinstance(loss, type):
        row = contract_of_module(loss)
    elif hasattr(loss, "forward") and hasattr(loss, "_buffers"):
        row = contract_of_instance(loss)
        preset = module_options(loss, row) if row else {}
    elif callable(loss):
        row = contract_of_function(loss)
    if row is None:
        raise BadCall("WS910", f"{_label(loss)} is not a loss of torch")
    return Target(row, preset)


def module_options(module: Any, row: Contract) -> dict[str, Any]:
    """The options a module instance passes on to its functional."""
    if row.name in SELF_CONTAINED:
        return SELF_CONTAINED[row.name](module)
    plain, buffers = vars(module), module._buffers
    return {
        name: plain[name] if name in plain else buffers[name]
        for name in option_names(row.name)
        if name in plain or name in buffers
    }


@cache
def option_names(name: str) -> tuple[str, ...]:
    """The parameters of a functional that a module keeps as attributes."""
    return tuple(each.name for each in parameters(name) if each.default is not _MISSING)


def _linear_options(module: Any) -> dict[str, Any]:
    wide = (module.num_classes, *module.out_features)
    weight, bias = module.linear.weight, module.linear.bias
    options = {name: getattr(module, name) for name in ("weight", "reduction", "ignore_index")}
    return options | {
        "label_smoothing": module.label_smoothing,
        "options": module.options,
        "linear_weight": TensorFact((*wide, module.linear.in_features), weight.dtype),
        "linear_bias": None if bias is None else TensorFact(wide, bias.dtype),
    }


def _adaptive_options(module: Any) -> dict[str, Any]:
    return {
        "in_features": module.in_features,
        "cutoffs": tuple(module.cutoffs),
        "dtype": str(module.head.weight.dtype).removeprefix("torch."),
    }


SELF_CONTAINED: dict[str, Callable[[Any], dict[str, Any]]] = {
    "linear_cross_entropy": _linear_options,
    "adaptive_log_softmax_with_loss": _adaptive_options,
}


def signature(args: Sequence[Any], options: Mapping[str, Any]) -> Any:
    """What a verdict depends on, as a key; None when it cannot be one."""
    try:
        key = (
            tuple([_part(value) for value in args]),
            tuple([(name, _part(value)) for name, value in options.items()]) if options else (),
        )
        hash(key)
    except TypeError:
        return None
    return key


def _part(value: Any) -> Any:
    try:
        return value.shape, value.dtype
    except AttributeError:
        # 1, 1.0 and True are equal as keys, and not to torch.
        return value.__class__, value


def bind(target: Target, tensors: Sequence[Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """Give every parameter of the functional its value; refuse what does not fit."""
    row = target.contract
    known = parameters(row.name)
    given = dict(target.preset)
    places = [each.name for each in known if each.positional and each.name not in _taken(target)]
    if len(tensors) > len(places):
        raise BadCall("WS912", f"`{row.name}` takes at most {len(places)} positional arguments")
    given.update(zip(places, tensors, strict=False))
    names = {each.name for each in known}
    for name, value in options.items():
        if name not in names:
            raise BadCall("WS912", f"`{row.name}` has no option `{name}`")
        if name in places[: len(tensors)]:
            raise BadCall("WS912", f"`{row.name}` got `{name}` twice")
        given[name] = value
    for each in known:
        if each.name not in given:
            if each.default is _MISSING:
                raise BadCall("WS912", f"`{row.name}` needs `{each.name}`")
            given[each.name] = each.default
    return {each.name: settled(row, each.name, given[each.name]) for each in known}


def _taken(target: Target) -> tuple[str, ...]:
    """Parameters a module fills by itself, so that they have no place in its call."""
    return ("linear_weight",) if "linear_weight" in target.preset else ()


def settled(row: Contract, name: str, value: Any) -> Any:
    """A tensor as its fact; everything else hashable and as it is."""
    if name not in row.tensors:
        return tuple(value) if isinstance(value, list) else value
    if value is None or isinstance(value, TensorFact):
        return _known(value, name)
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        return _known(TensorFact(value.shape, value.dtype), name)
    if name in _MAY_BE_NUMBER and isinstance(value, (int, float)):
        return value
    if name in _MAY_BE_LIST and isinstance(value, (list, tuple)):
        return tuple(value)
    raise BadCall("WS911", f"`{name}` of `{row.name}` must be a tensor, not {_label(value)}")


_MAY_BE_NUMBER = ("var",)
_MAY_BE_LIST = ("input_lengths", "target_lengths")


def _known(fact: TensorFact | None, name: str) -> TensorFact | None:
    if fact is not None and fact.dtype not in DTYPES:
        raise BadCall("WS913", f"`{name}` has dtype {fact.dtype}, which no contract covers")
    return fact


def _label(thing: Any) -> str:
    name = getattr(thing, "__name__", None)
    return f"`{name}`" if name else repr(thing)[:60]
