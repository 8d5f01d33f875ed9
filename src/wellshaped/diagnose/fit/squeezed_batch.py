"""Finds the squeeze that took a batch axis away, and whether the call misses it."""

from __future__ import annotations

import ast
from dataclasses import replace

from wellshaped.diagnose.fit.loss import verdict_of
from wellshaped.diagnose.fit.shapes import axes_named, rank_needed, sizes_given
from wellshaped.records.observation import Observation, Operand, Origin
from wellshaped.records.shape import TensorFact

# A step that sets the axes anew: what came before it is not to blame.
_FRESH = ("view", "reshape", "flatten", "unflatten", "unsqueeze", "stack", "cat", "expand")
_RECURRENT = ("RNN", "LSTM", "GRU")
# The rank at which a layer refuses, and would not with one more axis.
_NORMS = {"BatchNorm1d": 1, "BatchNorm2d": 3, "BatchNorm3d": 4}
_JOINING = ("cat", "concat", "stack", "hstack", "vstack")
_STRICT = ("size", "index", "unpack")


def squeeze_of(operand: Operand) -> tuple[Origin, int | None] | None:
    """The squeeze that may have taken the batch axis, and the axis it names; None for all."""
    for place, birth in enumerate(operand.origins):
        if birth.operation in _FRESH:
            return None
        if birth.operation != "squeeze":
            continue
        given = birth.arguments[1:] if _is_function(birth) else birth.arguments
        axis = birth.options.get("dim", given[0] if given else None)
        if axis is None and not given:
            return birth, None
        # One axis was left, and it went: whatever its name, it was the batch.
        last = operand.fact is not None and not operand.shape and place == 0
        follows = operand.origins[place + 1 : place + 2]
        layers = bool(follows) and follows[0].operation in _RECURRENT
        if type(axis) is int and (last or (axis == 0 and not layers)):
            return birth, axis
    return None


def _is_function(birth: Origin) -> bool:
    """Whether it is written `torch.squeeze(x)`, not `x.squeeze()`."""
    try:
        node = ast.parse(birth.passage.text, mode="eval").body
    except SyntaxError:
        return False
    function = node.func if isinstance(node, ast.Call) else None
    owner = function.value if isinstance(function, ast.Attribute) else function
    return isinstance(owner, ast.Name) and owner.id in ("torch", "squeeze")


def lacks_batch(observation: Observation, operand: Operand) -> bool:
    """Whether the call fails as it is, and fits with one more axis in front."""
    if observation.kind in ("loss", "backward"):
        return _mended(observation, operand)
    rank = operand.fact.rank if operand.fact else None
    if observation.kind == "module":
        return rank is not None and _NORMS.get(observation.callee) == rank
    if observation.kind == "iteration":
        # Of a tensor, only one without axes cannot be counted or walked through.
        alone = len(observation.operands) == 1
        return rank == 0 or (rank is None and alone and observation.error_type == "TypeError")
    if observation.callee in _JOINING:
        ranks = [each.fact.rank for each in observation.operands if each.fact]
        return rank is not None and rank == max(1, *ranks) - 1
    needed = axes_needed(observation)
    if rank is None:
        return needed > 0 and observation.error_type == "IndexError"
    # torch lets reductions of a tensor without axes name axis 0.
    return needed == rank + 1 and (rank > 0 or observation.callee in _STRICT)


def axes_needed(observation: Observation) -> int:
    """The number of axes an operation asks of its tensor."""
    if observation.callee in ("index", "unpack"):
        return int(observation.options.get("axes", 0))
    if observation.callee == "permute":
        return len(sizes_given(observation) or ())
    return rank_needed(axes_named(observation))


def _mended(observation: Observation, operand: Operand) -> bool:
    """Whether the loss takes it with its batch axis, and those that lost theirs the same way."""
    now = verdict_of(observation)
    if now is None or operand.fact is None or (now.outcome == "accept" and now.backward == "ok"):
        return False
    alike = [each for each in observation.operands if each.fact and squeeze_of(each)]
    for lost in ([operand], alike):
        operands = tuple(_whole(each) if each in lost else each for each in observation.operands)
        then = verdict_of(replace(observation, operands=operands))
        if then is not None and then.outcome == "accept" and then.backward == "ok":
            return True
    return False


def _whole(operand: Operand) -> Operand:
    assert operand.fact is not None
    return replace(operand, fact=TensorFact((1, *operand.shape), operand.fact.dtype))
