"""The call behind a text, as an observation: only where the text tells all that a rule asks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from wellshaped.contracts.questions import losses
from wellshaped.contracts.registry import ROWS
from wellshaped.records.message import Pasted
from wellshaped.records.observation import Kind, Observation, Operand
from wellshaped.records.shape import TensorFact
from wellshaped.records.source import Passage, Place

NOWHERE = Passage(Place("", 0, ""))
# These say "target" of class numbers; a loss that pairs element by element has it of one dtype.
_CLASSES = losses(target="classes") | losses(target="class lists")
_MOST_SAMPLES = 1000


def observations(told: Pasted) -> tuple[Observation, ...]:
    """One for each reading of the text; none where it leaves out what a rule needs.

    Dtypes that a text does not name are those that torch would have accepted.
    """
    build = _BUILD.get(told.kind)
    return tuple(build(told)) if build is not None else ()


def _loss(told: Pasted) -> Iterator[Observation]:
    row = ROWS.get(told.callee)
    values = told.values
    if row is None:
        return
    known = {name: values[name] for name in row.tensors if name in values}
    if len(known) < 2:
        return
    dtypes = {"target": "int64" if row.name in _CLASSES else "float32"}
    raised = told.kind != "warned"
    yield _observation(told, "loss", row.name, known, dtypes=dtypes, raised=raised)


def _class_loss(told: Pasted) -> Iterator[Observation]:
    for found in _loss(told):
        # `cross_entropy` ends in `nll_loss`: the text is the same for both.
        open_which = found.callee == "nll_loss" and "loss" not in told.parts
        yield replace(found, label="cross_entropy` / `nll_loss") if open_which else found


def _channels(told: Pasted) -> Iterator[Observation]:
    weight, shape = told.values["weight"], told.values["input"]
    name = f"conv{len(weight) - 2}d"
    options = {"groups": told.values.get("groups", 1)}
    # A sample without a batch axis is printed with one of size 1.
    for given in (shape, shape[1:])[: 2 if shape[0] == 1 else 1]:
        roles = {"argument 0": given, "argument 1": weight}
        yield _observation(told, "operation", name, roles, options)


def _axes(told: Pasted) -> Iterator[Observation]:
    roles = {"argument 0": told.values["input"]}
    if told.callee in ("conv1d", "conv2d", "conv3d"):
        yield _observation(told, "operation", told.callee, roles)


def _trailing(told: Pasted) -> Iterator[Observation]:
    options = {"normalized_shape": told.values["wants"]}
    roles = {"argument 0": told.values["input"]}
    found = _observation(told, "operation", "layer_norm", roles, options)
    yield replace(found, label="layer_norm` / `rms_norm")


def _expand(told: Pasted) -> Iterator[Observation]:
    line = told.passages[0].lines[0][1] if told.passages and told.passages[0].lines else ""
    if any(name in line for name in (".expand(", ".expand_as(", "broadcast_to(")):
        options = {"args": told.values["sizes"]}
        yield _observation(told, "operation", "expand", {"input": told.values["input"]}, options)


def _stacked(told: Pasted) -> Iterator[Observation]:
    """Samples that a DataLoader stacks, or tensors that the program stacks itself."""
    values = told.values
    if "second" not in values or values["place"] > _MOST_SAMPLES:
        return
    collated = "collate" in told.parts
    if collated or not told.parts:
        places = range(values["place"] + 1)
        shapes = {values["one"]: values["first"], values["place"]: values["second"]}
        roles = {f"sample {place}": shapes.get(place) for place in places}
        yield _observation(told, "collate", "default_collate", roles, {"dataset": "dataset"})
    if not collated:
        roles = {"tensors[0]": values["first"], f"tensors[{values['place']}]": values["second"]}
        yield _observation(told, "operation", "stack", roles)


def _mask(told: Pasted) -> Iterator[Observation]:
    values = told.values
    options = {"axis 0": values["axis"] - values["place"]}
    roles = {"input": values["input"], "index 0": values["mask"]}
    yield _observation(told, "operation", "index", roles, options, dtypes={"index 0": "bool"})


_BUILD = {
    "loss": _loss,
    "warned": _loss,
    "class_loss": _class_loss,
    "channels": _channels,
    "conv_axes": _axes,
    "trailing": _trailing,
    "expand": _expand,
    "stacked": _stacked,
    "mask": _mask,
}


def _observation(
    told: Pasted,
    kind: Kind,
    callee: str,
    shapes: Mapping[str, tuple[int, ...] | None],
    options: Mapping[str, Any] | None = None,
    *,
    dtypes: Mapping[str, str] | None = None,
    raised: bool = True,
) -> Observation:
    named = dtypes or {}
    facts = {
        role: None if shape is None else TensorFact(shape, named.get(role, "float32"))
        for role, shape in shapes.items()
    }
    return Observation(
        kind=kind,
        callee=callee,
        label=callee,
        passage=told.passages[0] if told.passages else NOWHERE,
        operands=tuple(Operand(role, fact) for role, fact in facts.items()),
        options=dict(options or {}),
        callers=told.passages[1:],
        error_type=(told.error_type or "RuntimeError") if raised else "",
        error_text=told.error_text,
    )
