"""From a finding to the way of its tensors: where each was born, and the axis that is at fault."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from wellshaped.contracts.questions import losses
from wellshaped.diagnose.fit.axis_letters import (
    Shape,
    changed_axes,
    lettered,
    letters_of,
    marked,
    misfits,
    of_layer,
    of_operand,
    other_sizes,
    taken_by,
)
from wellshaped.diagnose.fit.loss import leading_sizes, verdict_of
from wellshaped.records.finding import Finding
from wellshaped.records.flow import Axes, AxisState, Lane, Stage
from wellshaped.records.observation import Observation, Operand, Origin
from wellshaped.records.repair import Repair

_MOST_LANES = 4
_MOST_STAGES = 6
# What a program hands in, and operands that only say how a layer was built.
_NO_LANES = ("entry", "built", "cut")
# Steps that a tensor comes from, not through.
_SOURCES = frozenset(
    (
        *("iterate", "default", "tensor", "as_tensor", "from_numpy", "Tensor", "LongTensor"),
        *("FloatTensor", "ones", "zeros", "full", "empty", "eye", "arange", "linspace", "rand"),
        *("randn", "randint", "randperm", "ones_like", "zeros_like", "full_like", "rand_like"),
        *("randn_like", "normal", "load", "len", "size"),
    )
)
# Operations whose tensors have one shape, or broadcast.
_SIDE_BY_SIDE = frozenset(
    (
        *("add", "sub", "mul", "div", "pow", "eq", "ne", "lt", "le", "gt", "ge", "where"),
        *("cat", "concat", "stack"),
        *losses(pairs="elements"),
    )
)

Shapes = Mapping[str, Shape | None]


def rows_of_call(observation: Observation) -> int:
    """The number of rows of the call; 0 where its tensors do not tell."""
    if observation.kind in ("loss", "backward"):
        leading = leading_sizes(observation)
        return min(leading) if leading and 0 not in leading else 0
    leading = [each.shape[0] for each in operands_of(observation) if each.shape]
    if not leading:
        return 0
    # The other tensors of a layer, such as a hidden state, may have their rows elsewhere.
    return leading[0] if observation.kind == "module" else Counter(leading).most_common(1)[0][0]


def operands_of(observation: Observation) -> tuple[Operand, ...]:
    """The tensors that meet at the call."""
    known = (each for each in observation.operands if each.fact and each.role not in _NO_LANES)
    return tuple(known)[:_MOST_LANES]


def lanes_of(finding: Finding, repair: Repair | None, repaired: Shapes) -> tuple[Lane, ...]:
    """The way of each tensor of the call, and what the repair changes about it."""
    observation = finding.observation
    shapes = {each.role: each.shape for each in operands_of(observation)}
    batch = rows_of_call(observation)
    suffixes = {each.role: each.suffix for each in repair.changes} if repair else {}
    arriving = arriving_axes(finding, shapes, repaired, batch)
    return tuple(
        Lane(
            each.role,
            (*_stages(each, batch), _last(each, axes)),
            each.role in finding.blamed,
            suffixes.get(each.role, ""),
        )
        for each, axes in zip(operands_of(observation), arriving, strict=True)
    )


def _last(operand: Operand, axes: Axes | None) -> Stage:
    dtype = operand.fact.dtype if operand.fact else ""
    return Stage(operand.role, operand.text, axes, dtype, operand.passage)


def _stages(operand: Operand, batch: int) -> tuple[Stage, ...]:
    """The steps before the call, the first one first; too long a way is cut in its middle."""
    chain: list[Origin] = []
    for birth in operand.origins:
        if chain and 0 < birth.level <= chain[-1].level:
            break  # another branch of the way
        chain.append(birth)
        if birth.operation in _SOURCES:
            break
    if len(chain) > 1 and chain[0].passage.text == operand.text:
        del chain[0]  # the call gets this very expression
    stages = _lettered([_stage(each, batch) for each in reversed(chain)])
    if len(stages) <= _MOST_STAGES:
        return tuple(stages)
    return (stages[0], Stage("", "", None), *stages[2 - _MOST_STAGES :])


def _stage(birth: Origin, batch: int) -> Stage:
    fact = birth.fact
    axes = of_layer(birth.operation, fact.shape, batch) if fact else None
    dtype = fact.dtype if fact else ""
    return Stage(birth.operation, birth.passage.text, axes, dtype, birth.passage)


def _lettered(stages: list[Stage]) -> list[Stage]:
    """Axes get their letters from the layer that takes them, or from the same shape before."""
    for place, following in enumerate(stages[1:]):
        given = stages[place].axes or ()
        stages[place] = _with_letters(stages[place], taken_by(following.operation, len(given)))
    for place, before in enumerate(stages[:-1], start=1):
        if before.shape is not None and before.shape == stages[place].shape:
            stages[place] = _with_letters(stages[place], letters_of(before.axes))
    return stages


def _with_letters(stage: Stage, names: Sequence[str]) -> Stage:
    return stage if stage.axes is None else replace(stage, axes=lettered(stage.axes, names))


def arriving_axes(
    finding: Finding, shapes: Shapes, repaired: Shapes, batch: int, *, right: bool = False
) -> tuple[Axes | None, ...]:
    """The tensors of the call with these shapes, the axes at fault marked unless it is right."""
    found: list[Axes | None] = []
    for operand in operands_of(finding.observation):
        shape = shapes.get(operand.role)
        if shape is None:
            found.append(None)
            continue
        axes = _named(finding, operand, shape, batch)
        found.append(marked(axes, {} if right else _at_fault(finding, operand, shapes, repaired)))
    return tuple(found)


def repaired_axes(
    finding: Finding, shapes: Shapes, repaired: Shapes, batch: int
) -> tuple[Axes | None, ...]:
    """The tensors of the call after its repair, what it added marked."""
    found: list[Axes | None] = []
    for operand in operands_of(finding.observation):
        before, after = shapes.get(operand.role), repaired.get(operand.role)
        if after is None:
            found.append(None)
            continue
        new = changed_axes(before, after)[1] if before is not None else {}
        found.append(marked(_named(finding, operand, after, batch), new))
    return tuple(found)


def _named(finding: Finding, operand: Operand, shape: Shape, batch: int) -> Axes:
    needs = dict(finding.needs).get(operand.role, "")
    axes = of_operand(operand.text, needs, shape, batch)
    born = _stages(operand, rows_of_call(finding.observation))[-1:]
    same = bool(born) and born[0].shape == operand.shape
    return lettered(axes, letters_of(born[0].axes)) if same else axes


def _at_fault(
    finding: Finding, operand: Operand, shapes: Shapes, repaired: Shapes
) -> dict[int, AxisState]:
    shape, after = shapes.get(operand.role), repaired.get(operand.role)
    assert shape is not None
    full = max((len(each) for _, each in operand.at), default=len(shape))
    if len(shape) < full and operand.role in finding.blamed:
        return {0: "missing"}  # at other batch sizes it has an axis more: that of the rows
    if after is not None and after != shape:
        return changed_axes(shape, after)[0]
    return _by_contract(finding, operand, shapes) if operand.role in finding.blamed else {}


def _by_contract(finding: Finding, operand: Operand, shapes: Shapes) -> dict[int, AxisState]:
    """The axes that do not fit what the call needs, or the tensor beside them."""
    observation, shape = finding.observation, shapes.get(operand.role) or ()
    verdict = verdict_of(observation) if shape == operand.shape else None
    blame = verdict.blame if verdict else None
    if blame is not None and blame.argument == operand.role and blame.axis is not None:
        return {blame.axis: "wrong"}
    found = misfits(dict(finding.needs).get(operand.role, ""), shape)
    beside = next((each for role, each in shapes.items() if role != operand.role and each), None)
    if found or beside is None or observation.callee not in _SIDE_BY_SIDE:
        return found
    return other_sizes(shape, beside)
