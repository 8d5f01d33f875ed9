"""Other ways to make a call: another loss, an option that was not given, another tensor."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from wellshaped.contracts import losses, modules_of
from wellshaped.records.observation import FrameNames, Observation
from wellshaped.records.shape import TensorFact
from wellshaped.repair.backward_slice import last_name
from wellshaped.repair.edits import with_change
from wellshaped.repair.variations.conflict import Conflict
from wellshaped.repair.variations.record import SmallChange

_RECURRENT = frozenset(
    ("LSTM", "GRU", "RNN", "TransformerEncoderLayer", "TransformerDecoderLayer", "Transformer",
     "MultiheadAttention", "pad_sequence", "pack_padded_sequence", "pad_packed_sequence"),
)  # fmt: skip
_REDUCES = frozenset(("sum", "mean", "max", "min", "amax", "amin", "norm", "std", "var", "argmax"))
_MOST_NAMES = 3
_JOINS = {"stack": "cat", "cat": "stack", "concat": "stack"}
_CHANNELS = frozenset((1, 2, 3, 4))


def other_calls(
    node: ast.expr, observation: Observation, conflict: Conflict
) -> Iterator[SmallChange]:
    """The call with an option, a loss of another kind, or another way to join or read."""
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
    reduces = isinstance(node.func, ast.Attribute) and name in _REDUCES
    reduces = reduces and bool(node.args or given & {"dim", "axis"})
    if reduces and "keepdim" not in given and (conflict.pairs or conflict.ranks):
        yield _with(node, "keepdim", "True")
    if _takes_other_targets(observation):
        yield from _other_loss(node, name)
    if name in _JOINS and isinstance(node.func, ast.Attribute) and observation.callee in _JOINS:
        yield SmallChange(node.func, f"{ast.unparse(node.func.value)}.{_JOINS[name]}", "join")
    yield from _other_channels(node, conflict)


def _other_channels(node: ast.Call, conflict: Conflict) -> Iterator[SmallChange]:
    """Pictures with a number of channels of their own, all in one mode."""
    differ = any({a, b} <= _CHANNELS for a, b in conflict.pairs) or conflict.ranks
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="Image"), attr="open")) if differ:
            for mode in ("RGB", "L"):
                yield SmallChange(
                    node, with_change(ast.unparse(node), f'.convert("{mode}")'), "channels"
                )


def at_the_call(
    node: ast.expr,
    frames: Sequence[FrameNames],
    held: Mapping[str, TensorFact],
    observation: Observation,
    conflict: Conflict,
) -> Iterator[SmallChange]:
    """What the call that failed is given: in the dtype of what it changes, repeated, shifted."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=inner)), args=args) if conflict.dtypes:
            for each in args if inner in held else ():
                if isinstance(each, ast.Name) and _is_floating(held.get(each.id)):
                    yield SmallChange(each, f"{each.id}.to({inner}.dtype)", "dtype")
        case ast.Name(id=name, ctx=ast.Load()) if name in held and held[name].shape:
            rows = held[name].shape[0]
            times = {
                size // rows for size in conflict.instead_of(rows) if rows and size % rows == 0
            }
            known = {text: value for frame in frames for text, value in frame.names}
            for text in [each for each, value in known.items() if value in times and value != 1]:
                yield SmallChange(node, f"{name}.repeat_interleave({text}, 0)", "repeat")
    yield from _from_zero(node, observation)


def _from_zero(node: ast.expr, observation: Observation) -> Iterator[SmallChange]:
    """Class numbers that begin elsewhere than at 0, counted from there."""
    given, target = observation.operand("input"), observation.operand("target")
    if given is None or target is None or target.bounds is None or len(given.shape) < 2:
        return
    least, largest = target.bounds
    classes, text = given.shape[1], ast.unparse(node)
    outside = least < 0 or largest >= classes
    is_marked = least == observation.options.get("ignore_index")
    if not outside or is_marked or not least or largest - least >= classes or text != target.text:
        return
    if observation.callee in losses(target="classes"):
        yield SmallChange(node, f"{text} {'-' if least > 0 else '+'} {abs(least)}", "count")


def _is_floating(fact: TensorFact | None) -> bool:
    return fact is not None and "float" in fact.dtype


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
    node: ast.expr, held: Mapping[str, TensorFact], observation: Observation, conflict: Conflict
) -> Iterator[SmallChange]:
    """Another tensor of the function, with the size that would fit where that of this one does not.

    `held` are the tensors of the function by name.
    """
    own = held.get(node.id) if isinstance(node, ast.Name) else None
    if own is None or not own.shape or not isinstance(getattr(node, "ctx", None), ast.Load):
        return
    there = {each.text for each in observation.operands}  # a tensor is not held against itself
    fitting = [
        name
        for name, fact in held.items()
        if name not in there and name[0] != "_" and _fits_instead(fact, own, conflict)
    ]
    for name in fitting[:_MOST_NAMES]:
        yield SmallChange(node, name, "name")


def _fits_instead(fact: TensorFact, own: TensorFact, conflict: Conflict) -> bool:
    """Whether a tensor differs from another by one size, and that in the way that is asked for."""
    if fact.dtype != own.dtype or len(fact.shape) != len(own.shape):
        return False
    other = [(a, b) for a, b in zip(own.shape, fact.shape, strict=True) if a != b]
    return len(other) == 1 and other[0][1] in conflict.instead_of(other[0][0])
