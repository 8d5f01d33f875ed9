"""A matrix product, or a `Linear` layer, got tensors whose inner sizes differ.

**What happens.** `Linear(in_features, out_features)` multiplies the last axis of its input
with its weight, `a @ b` the last axis of `a` with the second to last of `b`. The two sizes
are one and the same; here they are not.

**Why.** Mostly an image or a feature map still has its own axes: `(N, C, H, W)` goes into a
layer that counts `C * H * W` features. Or it was flattened, and the count written down for
the layer is that of another image size. In products, one factor is often turned.

    features = backbone(images)                 # (32, 512, 1, 1)
    scores = nn.Linear(512, 10)(features)       # the last axis is 1, not 512

**Repair.** Flatten from axis 1 on, `features.flatten(1)`, which keeps the batch axis; give
the layer the number of features that arrive; or transpose the factor that is turned.
`.view(-1, in_features)` is no repair: it moves what is left over into the batch axis.

**Not a fault** when the last axis has `in_features` entries, however many axes come before.
"""

import re
from dataclasses import replace
from itertools import takewhile
from math import prod
from typing import Final

from wellshaped.diagnose.edits.call_edits import first_size, per_row
from wellshaped.diagnose.fit.layers import (
    born_at,
    built_at,
    changed,
    facts_of,
    layer_before,
    layer_of,
    rebuilt,
    unproven,
)
from wellshaped.diagnose.fit.products import (
    conflict,
    factors,
    misfit,
    product_facts,
    product_needs,
    product_repairs,
)
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation, Operand, Origin
from wellshaped.records.repair import Edit, Repair
from wellshaped.records.source import Passage

CODE, NAME, PRIORITY = "WS211", "inner-sizes", 40
SEVERITY: Final = "error"

HEADLINES = {
    "flatten": "{name} got {input_shape}, which is not flattened to {wants} features",
    "elsewhere": "{name} got its {wants} features on another axis than the last",
    "merged": "{name} takes {wants} features and got {last} on the last axis",
    "flattened": "{name} takes {wants} features and got {last} after flattening",
    "states": "{name} takes {wants} features and got the states of all layers, {last} numbers",
    "size": "{name} takes {wants} features and got {last}",
    "inner": "{name} got factors whose inner sizes differ, {inner} and {rows}",
    "turned": "{name} got factors whose inner sizes differ, {inner} and {rows}",
    "batch": "{name} got factors with different batch sizes",
    "rank": "{name} got factors with {left_rank} and {right_rank} axes",
}
WHYS = {
    "flatten": "The layer works on the last axis alone, and that one has size {last}. The "
    "{wants} features are spread over the axes from {axis} on.",
    "elsewhere": "The layer works on the last axis alone, and that one has size {last}. An "
    "axis of size {wants} stands further left, so the axes are in another order than the "
    "layer reads them.",
    "merged": "A step before merged axes of `{input}` into one of size {last}. The layer reads "
    "{wants} numbers at a time, and a row of the batch holds a multiple of that: other axes "
    "were meant to be merged.",
    "flattened": "Each row of the batch has {last} numbers after flattening, the layer was "
    "built for {wants}. The count depends on the size of the images and on every layer before.",
    "states": "The states of every layer were merged into one row of {last} numbers. The layer was "
    "built for {wants}: those of the last layer, which has read all that the others said.",
    "size": "The weight of the layer has one column for each of {wants} features. The tensor "
    "that arrives has {last} on its last axis.",
    "inner": "A product pairs the last axis of `{left}` with the second to last of `{right}`. "
    "These have {inner} and {rows} entries.",
    "turned": "A product pairs the last axis of `{left}` with the second to last of "
    "`{right}`, which have {inner} and {rows} entries. With its last two axes swapped, one of "
    "them fits.",
    "batch": "The matrices are multiplied pair by pair along the axes before the last two. "
    "These axes have different sizes.",
    "rank": "The product takes matrices with a fixed number of axes: `mm` two, `bmm` three. "
    "`matmul` takes stacks of any kind.",
}
TITLES = {
    "flatten": "flatten `{operand}` from axis {axis} on",
    "move": "bring the {wants} features of `{operand}` to the last axis",
    "rebuild": "build the layer with `{setting}={value}`",
    "order": "bring the axes that make up {wants} features together before they are merged",
    "rows": "flatten each row of the batch by itself",
    "transpose": "swap the last two axes of `{operand}`",
    "matrix": "make each row of `{operand}` a matrix",
    "rowwise": "multiply each row of `{left}` with the row of `{right}` beside it, and add up",
    "both_ends": "join the last states of both directions",
    "last_layer": "take the state of the last layer",
    "vector": "make each row of `{operand}` a matrix, and the product a vector again",
}

FIRES = (
    "features = torch.randn(4, 8, 1, 1)\nhead = nn.Linear(8, 5)\nhead(features)",
    "fc = nn.Linear(256, 10)\nx = torch.flatten(torch.randn(4, 16, 5, 5), 1)\nfc(x)",
    "net = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(9, 2))\nnet(torch.randn(4, 6))",
    "x = torch.randn(4, 16, 50)\nnn.Linear(16, 3)(x)",
    "a, b = torch.randn(2, 3, 7), torch.randn(2, 5, 7)\ntorch.bmm(a, b)",
    "weights, states = torch.randn(2, 7), torch.randn(2, 7, 5)\ntorch.bmm(weights, states)",
    "a, b = torch.randn(3, 7), torch.randn(5, 4)\na @ b",
    "users, items = torch.randn(8, 5), torch.randn(8, 5)\nusers @ items",
    "a, b = torch.randn(2, 3, 7), torch.randn(3, 7, 5)\na.bmm(b)",
    "x, weight = torch.randn(4, 3, 2, 2), torch.randn(5, 12)\nF.linear(x, weight)",
    """
lstm, head = nn.LSTM(5, 6, num_layers=2, bidirectional=True, batch_first=True), nn.Linear(12, 3)
x = torch.randn(4, 7, 5)
_, (hidden, _) = lstm(x)
hidden = hidden.view(x.size(0), -1)
head(hidden)
""",
    """
gru, head = nn.GRU(5, 6, num_layers=3, batch_first=True), nn.Linear(6, 3)
_, hidden = gru(torch.randn(4, 7, 5))
rows = hidden.transpose(0, 1).flatten(1)
head(rows)
""",
)
QUIET = (
    "nn.Linear(8, 5)(torch.randn(4, 3, 8))",
    "nn.Linear(8, 5)(torch.randn(4, 8).double())",
    "torch.randn(3, 7) @ torch.randn(7, 2)",
)

_RECURRENT = ("LSTM", "GRU", "RNN")
_MERGING = frozenset(("view", "reshape", "flatten", "transpose", "permute", "contiguous"))
_OF_A_NAME, _LAST = re.compile(r"(\w+)\."), re.compile(r"(\w+)\[-1\]$")


def diagnose(observation: Observation) -> Finding | None:
    """Fires when the last axis is not `in_features`, or two factors cannot be multiplied."""
    layer = layer_of(observation)
    if layer is None or layer.family != "Linear":
        return _product(observation)
    variant, code = misfit(layer)
    if not variant or layer.input is None:
        return None
    wants, shape = layer.size("in_features"), layer.input.shape
    axis = code[len(".flatten(") : -1] if variant == "flatten" else ""
    seen = layer.observation
    facts = facts_of(seen, wants=wants, last=shape[-1], axis=axis, code=code)
    variant = "states" if variant == "flattened" and _all_layers(layer.input, wants) else variant
    born = born_at(layer.input, "flatten", "view", "reshape")
    origin = born if variant == "merged" else built_at(seen)
    needs, origin = (("input", f"(..., {wants})"),), None if code else origin
    return Finding(CODE, NAME, SEVERITY, seen, variant, facts, ("input",), needs, origin=origin)


def _all_layers(given: Operand, wants: int | None) -> Passage | None:
    """Where the states of all layers were merged, if those of the last one were wanted."""
    layer = given.origin_by(*_RECURRENT)
    merged = list(takewhile(lambda each: each is not layer, given.origins))
    if layer is None or not merged or not {each.operation for each in merged} <= _MERGING:
        return None
    width = layer.options.get("hidden_size", 0) * _directions(layer)
    all_of_it = given.shape[-1] == layer.options.get("num_layers", 1) * width
    return merged[0].passage if all_of_it and wants == width else None


def _directions(layer: Origin) -> int:
    return 2 if layer.options.get("bidirectional") else 1


def _last_states(finding: Finding) -> tuple[Repair, ...]:
    """States of a recurrent layer: one direction of two, or all layers where one was meant."""
    given, wants = finding.observation.operand("input"), finding.facts["wants"]
    layer = given.origin_by(*_RECURRENT) if given else None
    if given is None or layer is None:
        return ()
    passage, named = _all_layers(given, wants), _OF_A_NAME
    if passage is None and _directions(layer) == 2 and wants == 2 * given.shape[-1]:
        passage, named = given.passage, _LAST
    found = named.match(passage.text) if passage else None
    if passage is None or passage.span is None or found is None:
        return ()
    ends = [f"{found[1]}[-{place}]" for place in range(_directions(layer), 0, -1)]
    title, text = "last_layer", ends[0]
    if len(ends) == 2:
        title, text = "both_ends", f"torch.cat([{', '.join(ends)}], dim=-1)"
    return (Repair(title, edits=(Edit(passage.place.file, passage.span, text),)),)


def _product(observation: Observation) -> Finding | None:
    found = factors(observation)
    fault = conflict(observation.callee, found[1].shape, found[2].shape) if found else ""
    if found is None or not fault:
        return None
    named, left, right = found
    variant = "turned" if fault == "inner" and product_repairs(*found) else fault
    needs = product_needs(left, right) if fault == "inner" else ()
    facts = product_facts(named, left, right)
    return Finding(CODE, NAME, SEVERITY, named, variant, facts, (right.role,), needs)


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """Flatten, move or transpose what is given; else build the layer for what arrives."""
    observation, facts = finding.observation, finding.facts
    found = factors(observation)
    if found is not None:
        return product_repairs(*found)
    if facts["code"]:
        title = "flatten" if finding.variant == "flatten" else "move"
        fixed = changed(observation, "input", facts["code"], title)
        if facts["code"] == ".flatten(1)" and (edits := layer_before(observation, "Flatten()")):
            return (replace(fixed, edits=edits),)
        return (unproven(observation, fixed) if facts["code"] == ".t()" else fixed,)
    if finding.variant == "merged":
        return (Repair("order"),)
    if states := _last_states(finding):
        return states
    wider = rebuilt(observation, "in_features", facts["last"])
    born = seen.origin_by("view", "reshape") if (seen := observation.operand("input")) else None
    first = first_size(born)
    # The rows are counted by a number, and what they hold is cut into as many: not by the batch.
    counted = seen is not None and first == seen.shape[0] and prod(seen.shape) % facts["wants"] == 0
    if finding.variant != "flattened" or not (first in (-1, 1) or counted):
        return wider
    rows = (Repair("rows", edits=per_row(born)),)
    # No width of the layer would be right for rows that are counted, or for a single one.
    return (*rows, *wider) if first == -1 else rows
