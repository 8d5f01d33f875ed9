"""Other ways to make a call: another loss, an option that was not given, another tensor."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import replace

from wellshaped.contracts import losses, modules_of
from wellshaped.records.observation import Observation
from wellshaped.records.shape import TensorFact
from wellshaped.repair.backward_slice import last_name
from wellshaped.repair.variations.conflict import Conflict
from wellshaped.repair.variations.record import SmallChange

_RECURRENT = frozenset(
    ("LSTM", "GRU", "RNN", "TransformerEncoderLayer", "TransformerDecoderLayer", "Transformer",
     "MultiheadAttention", "pad_sequence", "pack_padded_sequence", "pad_packed_sequence"),
)  # fmt: skip
_REDUCES = frozenset(("sum", "mean", "max", "min", "amax", "amin", "norm", "std", "var", "argmax"))
_MOST_NAMES = 3


def other_calls(
    node: ast.expr, observation: Observation, conflict: Conflict
) -> Iterator[SmallChange]:
    """The call with an option, or a loss of another kind."""
    if not isinstance(node, ast.Call):
        return
    name, given = last_name(node.func), {each.arg for each in node.keywords}
    if name in _RECURRENT and (conflict.pairs or conflict.ranks):
        yield from _flipped(node, "batch_first")
    if name == "pack_padded_sequence" and "enforce_sorted" not in given:
        yield _with(node, "enforce_sorted", "False")
    few_rows = conflict.rows or "norm" in observation.callee.lower()
    if name == "DataLoader" and "drop_last" not in given and few_rows:
        yield replace(_with(node, "drop_last", "True"), why="amount")
    reduces = name in _REDUCES and (node.args or given & {"dim", "axis"})
    if reduces and "keepdim" not in given and (conflict.pairs or conflict.ranks):
        yield _with(node, "keepdim", "True")
    if _takes_other_targets(observation):
        yield from _other_loss(node, name)


def _takes_other_targets(observation: Observation) -> bool:
    """Whether a loss that pairs elements got a class number a row, or the other way round."""
    given, target = observation.operand("input"), observation.operand("target")
    if given is None or target is None or not given.shape or not target.shape:
        return False
    if observation.callee in losses(target="classes"):
        return given.shape == target.shape or len(given.shape) == len(target.shape)
    whole = "whole" in target.traits or (target.fact and target.fact.dtype == "int64")
    return bool(whole) and len(target.shape) < len(given.shape)


def _flipped(node: ast.Call, option: str) -> Iterator[SmallChange]:
    for each in node.keywords:
        if each.arg == option:
            if isinstance(each.value, ast.Constant):
                yield SmallChange(each.value, str(not each.value.value), "option")
            return
    yield _with(node, option, "True")


def _with(node: ast.Call, option: str, value: str) -> SmallChange:
    keyword = ast.keyword(option, ast.parse(value, mode="eval").body)
    changed = ast.Call(node.func, node.args, [*node.keywords, keyword])
    return SmallChange(node, ast.unparse(changed), "option")


def _other_loss(node: ast.Call, name: str) -> Iterator[SmallChange]:
    """Class numbers instead of a number for each element, or the other way round."""
    one, all_of = losses(target="classes", pairs="positions"), losses(pairs="elements")
    other = ""
    if name in all_of | modules_of(all_of):
        other = "cross_entropy" if name in all_of else "CrossEntropyLoss"
    elif name in one | modules_of(one):
        other = "binary_cross_entropy_with_logits" if name in one else "BCEWithLogitsLoss"
    if other and isinstance(node.func, ast.Attribute):
        yield SmallChange(node.func, f"{ast.unparse(node.func.value)}.{other}", "loss")


def other_names(
    node: ast.expr, held: Mapping[str, TensorFact], conflict: Conflict
) -> Iterator[SmallChange]:
    """Another tensor of the function, with the rows that would fit where those of this one do not.

    `held` are the tensors of the function by name.
    """
    own = held.get(node.id) if isinstance(node, ast.Name) else None
    if own is None or not own.shape or not isinstance(getattr(node, "ctx", None), ast.Load):
        return
    wanted = conflict.instead_of(own.shape[0])
    fitting = [
        name
        for name, fact in held.items()
        if fact.shape
        and fact.dtype == own.dtype
        and fact.shape[:1] != own.shape[:1]
        and fact.shape[1:] == own.shape[1:]
        and fact.shape[0] in wanted
    ]
    for name in fitting[:_MOST_NAMES]:
        yield SmallChange(node, name, "name")
