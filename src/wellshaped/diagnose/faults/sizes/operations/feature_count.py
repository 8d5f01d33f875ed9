"""A normalisation layer got a tensor with another number of features than it was built for.

**What happens.** `BatchNorm` and `GroupNorm` read axis 1 as the features, `LayerNorm` the
last axes. That axis does not have the size the layer was built with.

**Why.** Sequences come out of embeddings and recurrent layers as `(B, T, C)`, with the
features last, while `BatchNorm1d` reads `(B, C, T)`. Or the layer before has another width.

    x, _ = rnn(sequence)                 # (8, 20, 16)
    nn.BatchNorm1d(16)(x)                # reads 20 features

**Repair.** Swap the axes for the layer and back after it, `bn(x.transpose(1, 2)).transpose(1, 2)`;
or build the layer for the number of features that arrives.

**Not a fault** when the axis the layer reads has the size it was built with.
"""

from typing import Final

from wellshaped.diagnose.fit.layers import (
    Layer,
    around,
    built_at,
    facts_of,
    layer_of,
    rebuilt,
)
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation
from wellshaped.records.repair import Change, Repair

CODE, NAME, PRIORITY = "WS220", "feature-count", 40
SEVERITY: Final = "error"

HEADLINES = {
    "last": "{name} got its {wants} features on the last axis",
    "first": "{name} got its {wants} features on axis 1",
    "count": "{name} takes {wants} features and got {got}",
    "trailing": "{name} normalises {wants} and got {got}",
}
WHYS = {
    "last": "The features are read from axis 1 of `{input}`, and that one has size {got}. "
    "The {wants} features stand last, as embeddings and recurrent layers give them.",
    "first": "The layer normalises the last axis of `{input}`, which has size {got}. The "
    "{wants} features stand on axis 1, as convolutions give them.",
    "count": "The layer keeps one scale and one shift for each of {wants} features. The axis "
    "it reads them from, axis {axis} of `{input}`, has size {got}.",
    "trailing": "The layer keeps one scale and one shift for each entry of the axes it "
    "normalises, and these are the last ones of `{input}`.",
}
TITLES = {
    "around": "swap the axes of `{operand}` for the layer, and back after it",
    "rebuild": "build the layer with `{setting}={value}`",
    "resize": "build the layer for the axes that arrive: `normalized_shape={got}`",
}

FIRES = (
    "bn = nn.BatchNorm1d(16)\nx = torch.randn(4, 9, 16)\nbn(x)",
    "norm = nn.LayerNorm(16)\nx = torch.randn(4, 16, 9)\nnorm(x)",
    "bn = nn.BatchNorm2d(8)\nx = torch.randn(4, 6, 5, 5)\nbn(x)",
    "norm = nn.LayerNorm([7, 8])\nx = torch.randn(4, 8, 9)\nnorm(x)",
    "norm = nn.GroupNorm(2, 8)\nx = torch.randn(4, 6, 5)\nnorm(x)",
)
QUIET = (
    "nn.BatchNorm1d(16)(torch.randn(4, 16, 9))",
    "nn.BatchNorm2d(16)(torch.randn(4, 16, 9))",
    "nn.LayerNorm(16)(torch.randn(4, 9, 16).double())",
)


def diagnose(observation: Observation) -> Finding | None:
    """Fires when the axis that is normalised has not the size of the layer's scale."""
    layer = layer_of(observation)
    if layer is None or layer.input is None:
        return None
    if layer.family in ("LayerNorm", "RMSNorm"):
        return _trailing(layer)
    setting = {"BatchNorm": "num_features", "GroupNorm": "num_channels"}.get(layer.family)
    wants, shape = layer.size(setting) if setting else None, layer.input.shape
    wrong_rank = layer.spatial > 1 and len(shape) != layer.spatial + 2
    if wants is None or len(shape) < 2 or wrong_rank or shape[1] == wants:
        return None
    variant = "last" if len(shape) > 2 and shape[-1] == wants else "count"
    rest = ", ".join(["", "T", "H, W", "D, H, W"][min(len(shape) - 2, 3)].split(", "))
    needs = f"(B, {wants}, {rest})" if rest else f"(B, {wants})"
    return _finding(layer, variant, needs, wants=wants, got=shape[1], axis=1, setting=setting)


def _trailing(layer: Layer) -> Finding | None:
    wants, shape = layer.settings.get("normalized_shape"), layer.input.shape if layer.input else ()
    if not isinstance(wants, tuple) or not wants or shape[-len(wants) :] == wants:
        return None
    if len(wants) > 1:
        needs = f"(..., {', '.join(map(str, wants))})"
        return _finding(layer, "trailing", needs, wants=wants, got=shape[-len(wants) :], axis=-1)
    variant = "first" if len(shape) > 2 and shape[1] == wants[0] else "count"
    facts = {"wants": wants[0], "got": shape[-1], "axis": len(shape) - 1}
    return _finding(layer, variant, f"(..., {wants[0]})", setting="normalized_shape", **facts)


def _finding(layer: Layer, variant: str, needs: str, **facts: object) -> Finding:
    seen = layer.observation
    return Finding(
        CODE,
        NAME,
        SEVERITY,
        seen,
        variant,
        facts_of(seen, **facts),
        ("input",),
        (("input", needs),),
        origin=built_at(seen) if variant in ("count", "trailing") else None,
    )


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """Swap the axes around the layer; else build it for what arrives."""
    seen, facts = finding.observation, finding.facts
    own = seen.operand("input")
    if finding.variant == "trailing":
        return (Repair("resize"),)
    if finding.variant == "count":
        groups = seen.options.get("num_groups", 1)
        fits = groups and facts["got"] % groups == 0
        return rebuilt(seen, facts["setting"], facts["got"]) if fits else ()
    moves = (".movedim(-1, 1)", ".movedim(1, -1)")
    code, back = moves if finding.variant == "last" else moves[::-1]
    if own is not None and len(own.shape) == 3:
        code = back = ".transpose(1, 2)"
    edits = around(seen, "input", code, back)
    facts = {"operand": own.text if own else "input"}
    return (Repair("around", facts, (Change("input", code),) if edits else (), edits),)
