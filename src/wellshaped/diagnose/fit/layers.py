"""What the rules before the loss share: a layer in one form, called as module or as function."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from wellshaped.diagnose.edits.call_edits import applied
from wellshaped.diagnose.edits.layer_size_edits import resized
from wellshaped.records.observation import Observation, Operand
from wellshaped.records.phrase import Phrase, phrase
from wellshaped.records.repair import Change, Edit, Repair
from wellshaped.records.shape import shape_text
from wellshaped.records.source import Passage, Span

# Torch's names for the parameters of functions that take tensors by position.
_PARAMETERS: Mapping[str, tuple[str, ...]] = {
    "linear": ("input", "weight", "bias"),
    "matmul": ("input", "other"),
    "mm": ("input", "mat2"),
    "bmm": ("input", "mat2"),
    "conv1d": ("input", "weight", "bias", "stride", "padding", "dilation", "groups"),
    "conv2d": ("input", "weight", "bias", "stride", "padding", "dilation", "groups"),
    "conv3d": ("input", "weight", "bias", "stride", "padding", "dilation", "groups"),
    "embedding": ("input", "weight"),
    "layer_norm": ("input", "normalized_shape", "weight", "bias"),
    "batch_norm": ("input", "running_mean", "running_var", "weight", "bias"),
    "group_norm": ("input", "num_groups", "weight", "bias"),
    "max_pool1d": ("input",),
    "max_pool2d": ("input",),
    "max_pool3d": ("input",),
    "avg_pool1d": ("input",),
    "avg_pool2d": ("input",),
    "avg_pool3d": ("input",),
    "adaptive_avg_pool1d": ("input",),
    "adaptive_avg_pool2d": ("input",),
    "adaptive_max_pool2d": ("input",),
    "scaled_dot_product_attention": ("query", "key", "value", "attn_mask"),
    "pack_padded_sequence": ("input", "lengths"),
}
_FUNCTIONS = {
    "linear": "Linear",
    "embedding": "Embedding",
    "layer_norm": "LayerNorm",
    "batch_norm": "BatchNorm",
    "group_norm": "GroupNorm",
}
_SPATIAL = re.compile(
    r"(?:Lazy)?(Conv|ConvTranspose|BatchNorm|InstanceNorm|(?:Adaptive)?(?:Max|Avg)Pool)([123])d"
)


@dataclass(frozen=True, slots=True)
class Layer:
    """A layer of torch: `Conv` with `spatial` 2 for `Conv2d` and `conv2d`, `Linear` for both.

    The operands of `observation` have the names torch gives to the parameters.
    """

    family: str
    spatial: int
    observation: Observation
    settings: Mapping[str, Any]

    @property
    def input(self) -> Operand | None:
        """The tensor it works on, where its shape is known."""
        found = self.observation.operand("input")
        return found if found is not None and found.fact is not None else None

    @property
    def ranks(self) -> tuple[int, ...]:
        """How many axes its input may have, where torch fixes that."""
        if self.family == "BatchNorm" and self.spatial:
            return (2, 3) if self.spatial == 1 else (self.spatial + 2,)
        return (self.spatial + 1, self.spatial + 2) if self.spatial else ()

    def size(self, name: str) -> int | None:
        """A setting that is a plain number."""
        value = self.settings.get(name)
        return value if type(value) is int else None


def layer_of(observation: Observation) -> Layer | None:
    """The layer an observation is of; None when it is another thing."""
    if observation.kind == "module":
        found = _SPATIAL.fullmatch(observation.callee)
        family = found[1] if found else observation.callee
        settings = {**observation.options, **_from_weight(family, observation.options)}
        return Layer(family, int(found[2]) if found else 0, observation, settings)
    if observation.kind != "operation" or observation.callee not in _PARAMETERS:
        return None
    named = named_operands(observation)
    title = "".join(part.title() for part in observation.callee.split("_"))
    found = _SPATIAL.fullmatch(re.sub(r"(\d)D$", r"\1d", title))
    family = found[1] if found else _FUNCTIONS.get(observation.callee, "")
    options = {**named.options, **_shapes(named)}
    settings = {**options, **_from_weight(family, options)}
    return Layer(family, int(found[2]) if found else 0, named, settings) if family else None


def named_operands(observation: Observation) -> Observation:
    """The observation of a function, its operands named as torch names the parameters."""
    names = _PARAMETERS.get(observation.callee, ())
    is_method = bool(observation.operands) and observation.operands[0].role == "input"
    shift = 1 if is_method else 0
    roles = {f"argument {place - shift}": name for place, name in enumerate(names)}
    operands = tuple(
        replace(each, role=roles.get(each.role, each.role)) for each in observation.operands
    )
    options = {roles.get(name, name): value for name, value in observation.options.items()}
    given = observation.options.get("args", ())
    options |= {name: value for name, value in zip(names[shift:], given, strict=False) if value}
    return replace(observation, operands=operands, options=options)


def _shapes(observation: Observation) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for each in observation.operands:
        if each.fact is not None and each.role != "input":
            found |= {f"{each.role}.shape": each.fact.shape, f"{each.role}.dtype": each.fact.dtype}
    return found


def _from_weight(family: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """What the weight itself says of the sizes: torch looks at it, not at the attributes."""
    weight = settings.get("weight.shape")
    if family == "Linear" and weight and len(weight) == 2:
        return {"out_features": weight[0], "in_features": weight[1]}
    if family == "Conv" and weight and len(weight) > 2:
        groups = settings.get("groups")
        return {"in_channels": weight[1] * (groups if type(groups) is int else 1)}
    if family == "BatchNorm" and settings.get("running_mean.shape"):
        return {"num_features": settings["running_mean.shape"][0]}
    return {}


def named(observation: Observation) -> Phrase | str:
    """What the sentences call a layer: its class, and its name in the model if it has one."""
    label, layer = observation.label, observation.layer
    return phrase("in_layer", label=label, layer=layer) if layer else f"`{label}`"


def facts_of(observation: Observation, **more: Any) -> dict[str, Any]:
    """What the sentences call the layer and its tensors."""
    facts: dict[str, Any] = {"name": named(observation)}
    for each in observation.operands:
        key = re.sub(r"\W", "_", each.role)
        facts |= {key: each.text, f"{key}_shape": shape_text(each.shape)}
    return {**facts, **more}


def changed(observation: Observation, role: str, suffix: str, title: str, **facts: Any) -> Repair:
    """A repair that puts a method call after the expression of an operand."""
    where = _written(observation, role)
    facts = {"operand": where.text if where else role, "code": suffix, **facts}
    return Repair(title, facts, (Change(where.role if where else role, suffix),))


def unproven(observation: Observation, repair: Repair) -> Repair:
    """The same edit without a claim: for a call that has a second sensible reading."""
    edits = []
    for change in repair.changes:
        operand = observation.operand(change.role)
        passage = operand.passage if operand else None
        if passage is not None and passage.span is not None:
            text = applied(passage.text, change.suffix)
            edits.append(Edit(passage.place.file, passage.span, text))
    return replace(repair, changes=(), edits=tuple(edits))


def _written(observation: Observation, role: str) -> Operand | None:
    """The operand, or its twin in the call of the module that holds the layer."""
    own = observation.operand(role)
    if own is None or own.passage is not None:
        return own
    for each in observation.operands:
        twin = each.role.startswith("given ") and each.role.endswith(role)
        if twin and each.passage is not None and each.shape == own.shape:
            return each
    return own


def rebuilt(observation: Observation, setting: str, value: int) -> tuple[Repair, ...]:
    """Repairs of a setting: the number where it stands, or where it comes from."""
    if observation.kind != "module":
        return ()
    facts = {"setting": setting, "value": value}
    held = observation.options.get(setting)
    written = observation.operand(setting)
    ways = resized(written, held if type(held) is int else None, value)
    change = (Change(setting, str(value)),)
    return tuple(Repair("rebuild", facts, change, each) for each in ways) or (
        Repair("rebuild", facts),
    )


def entry_of(observation: Observation) -> Operand | None:
    """What the model was given: the tensor in which an axis may be missing from the start."""
    for role in ("given input", "entry"):
        found = observation.operand(role)
        if found is not None and found.fact is not None and found.passage is not None:
            return found
    return None


def sample_of(observation: Observation, rank: int) -> Operand:
    """The tensor to give an axis to: what went into the model, if it has as few axes."""
    entry, own = entry_of(observation), observation.operand("input")
    assert own is not None
    return entry if entry is not None and len(entry.shape) == rank else own


def built_at(observation: Observation) -> Passage | None:
    """Where the layer was built, if that was found."""
    found = observation.operand("built")
    return found.passage if found else None


def layer_before(observation: Observation, code: str) -> tuple[Edit, ...]:
    """An edit that builds another layer before one that stands in a row of layers."""
    built, given = built_at(observation), observation.operand("input")
    numbered = observation.layer.rpartition(".")[2].isdigit()
    if built is None or built.span is None or not numbered or (given and given.passage):
        return ()
    module, dot, _ = built.text.partition("(")[0].rpartition(".")
    line, column = built.span.line, built.span.column
    before = dict(built.lines)[line][:column]
    gap = " " if before.strip() else f"\n{before}"
    start = Span(line, column, line, column)
    return (Edit(built.place.file, start, f"{module}{dot}{code},{gap}"),)


def born_at(operand: Operand | None, *operations: str) -> Passage | None:
    """Where an operand got its axes, if by one of these operations."""
    found = operand.origin_by(*operations) if operand else None
    return found.passage if found else None


def at_birth(operand: Operand | None, suffix: str, *operations: str) -> tuple[Edit, ...]:
    """An edit where a tensor is made, if it is made in one place and by one of these."""
    origins = operand.origins if operand else ()
    made = [each for each in origins if each.operation in operations]
    span = made[0].passage.span if len(made) == 1 and origins[0] is made[0] else None
    if span is None or span.line != span.end_line:
        return ()
    return (Edit(made[0].passage.place.file, span, made[0].passage.text + suffix),)


def around(observation: Observation, role: str, suffix: str, back: str) -> tuple[Edit, ...]:
    """An edit that changes an operand and changes the result of the call back."""
    call, inner = observation.passage, observation.operand(role)
    span = inner.passage.span if inner and inner.passage else None
    if call.span is None or span is None or not call.span.holds(span):
        return ()
    if call.span.line != call.span.end_line or not inner:
        return ()
    line = dict(call.lines)[call.span.line]
    text = line[call.span.column : span.column] + applied(inner.text, suffix)
    text += line[span.end_column : call.span.end_column] + back
    return (Edit(call.place.file, call.span, text),)


def with_last_argument(passage: Passage | None, text: str) -> tuple[Edit, ...]:
    """An edit that adds an argument at the end of a call."""
    if passage is None or passage.span is None or not passage.text.endswith(")"):
        return ()
    line, end = passage.span.end_line, passage.span.end_column - 1
    before = passage.text[:-1].rstrip()
    comma = "" if before.endswith(("(", ",")) else ", "
    return (Edit(passage.place.file, Span(line, end, line, end), comma + text),)
