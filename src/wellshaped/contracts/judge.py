"""Says what torch will do with a call of a loss, from its contract alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wellshaped.contracts.call import (
    SELF_CONTAINED,
    bind,
    module_options,
    option_names,
    resolve_loss,
    signature,
)
from wellshaped.contracts.contract import Contract
from wellshaped.contracts.formula import run_formula
from wellshaped.contracts.match import best_conflict
from wellshaped.contracts.promotion import COMPLEX, DIFFERENTIABLE
from wellshaped.contracts.registry import contract_of_instance
from wellshaped.contracts.sketch import Rejected, Sketch, Unmeasured
from wellshaped.records.shape import TensorFact
from wellshaped.records.verdict import Backward, Blame, Needs, Outcome, Verdict

_remembered: dict[Any, Verdict] = {}
_REMEMBER_AT_MOST = 4096


def judge(loss: Any, *tensors: Any, **options: Any) -> Verdict:
    """Answer from the contract what torch does with this call. Never calls the loss.

    `loss` is a function of `torch.nn.functional`, a loss module or its name. Tensors may be
    real, fake or meta tensors, or `TensorFact(shape, dtype)`.
    """
    key = _key(loss, tensors, options)
    found = _remembered.get(key) if key is not None else None
    if found is None:
        target = resolve_loss(loss)
        found = judge_bound(target.contract, bind(target, tensors, options))
        if key is not None:
            if len(_remembered) >= _REMEMBER_AT_MOST:
                _remembered.clear()
            _remembered[key] = found
    return found


def _key(loss: Any, tensors: tuple[Any, ...], options: Mapping[str, Any]) -> Any:
    """A key for calls seen before; a module counts by its class and its options."""
    call = signature(tensors, options)
    if call is None:
        return None
    buffers = getattr(loss, "_buffers", None)
    if buffers is None or isinstance(loss, type):
        return (loss, call) if loss.__hash__ is not None else None
    row = contract_of_instance(loss)
    if row is None:
        return None
    if row.name in SELF_CONTAINED:
        return type(loss), signature((), module_options(loss, row)), call
    plain = vars(loss)
    held = [plain.get(name) for name in option_names(row.name)]
    held += [(name, each.shape, each.dtype) for name, each in buffers.items() if each is not None]
    return type(loss), tuple(held), call


def judge_bound(row: Contract, bound: Mapping[str, Any]) -> Verdict:
    """The verdict for arguments that are already bound."""
    needs = Needs(row.needs, row.dtypes)
    conflict = best_conflict(row.needs, _shapes(row, bound))
    try:
        result = run_formula(row.steps, _space(row, bound))
    except Rejected as refusal:
        blame = _blame_for(refusal, conflict)
        return Verdict(row.name, "reject", None, None, "raises", needs, blame)
    except Unmeasured:
        known: Outcome = "accept" if conflict is None else "hazard"
        return Verdict(row.name, known, None, None, "ok", needs, conflict)
    outcome: Outcome = "accept" if conflict is None else "hazard"
    return Verdict(
        row.name, outcome, result.shape, result.dtype, _backward(result), needs, conflict
    )


def _backward(result: Sketch) -> Backward:
    real = result.dtype in DIFFERENTIABLE and result.dtype not in COMPLEX
    return "ok" if real and result.grad and not result.broken else "raises"


def _blame_for(refusal: Rejected, conflict: Blame | None) -> Blame:
    if conflict is not None:
        return conflict
    return Blame(refusal.argument or "input", refusal.axis, refusal.reason)


def _shapes(row: Contract, bound: Mapping[str, Any]) -> dict[str, tuple[int, ...] | None]:
    return {
        name: bound[name].shape if isinstance(bound[name], TensorFact) else None
        for name in row.tensors
    }


def _space(row: Contract, bound: Mapping[str, Any]) -> dict[str, Any]:
    space = dict(bound)
    for name in row.tensors:
        fact = bound[name]
        if isinstance(fact, TensorFact):
            grad = name in row.predicts and fact.dtype in DIFFERENTIABLE
            space[name] = Sketch(fact.shape, fact.dtype, name, grad)
    if space.get("size_average") is not None or space.get("reduce") is not None:
        space["reduction"] = _legacy(space.get("size_average"), space.get("reduce"))
    return space


def _legacy(size_average: bool | None, reduce: bool | None) -> str:
    if reduce is not None and not reduce:
        return "none"
    return "sum" if size_average is not None and not size_average else "mean"
