"""A layer got a tensor with fewer, or more, axes than it knows how to read.

**What happens.** Convolutions and pooling take a batch `(N, C, H, W)` or one sample
`(C, H, W)`; `BatchNorm2d` takes the batch alone. A tensor with another number of axes is
refused, and one that happens to fit is read as the wrong thing: `(N, H, W)` as one sample.

**Why.** A single sample taken out of a data set has lost its batch axis. Grey images have
often no channel axis at all. The first layers may accept that, and a later one stops.

    image = images[0]                           # (1, 28, 28), one grey image
    model(image)                                # stops at the first BatchNorm2d

**Repair.** Give the sample its batch axis where it goes into the model, `.unsqueeze(0)`;
give grey images their channel axis, `.unsqueeze(1)`.

**Not a fault** when the number of axes is one of those the layer documents.
"""

from math import prod
from typing import Final

from wellshaped.diagnose.fit.layers import (
    Layer,
    born_at,
    changed,
    entry_of,
    facts_of,
    layer_of,
    sample_of,
    unproven,
)
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation, Operand
from wellshaped.records.repair import Change, Repair

CODE, NAME, PRIORITY = "WS111", "missing-batch-axis", 35
SEVERITY: Final = "error"

HEADLINES = {
    "few": "{name} takes {most} axes and got {rank}: the batch axis is missing",
    "image": "{name} takes {most} axes with a batch and got {rank}",
    "many": "{name} takes {most} axes with a batch and got {rank}",
    "channel": "{name} took a batch without a channel axis for a single sample",
    "flattened": "{name} got one sample that was flattened without its batch axis",
}
WHYS = {
    "few": "The layer counts its axes from the batch axis on. `{sample}` is one sample, "
    "without that axis.",
    "image": "The layer reads channels and positions, with or without a batch axis before "
    "them. `{input}` has positions alone.",
    "many": "Each axis has one meaning for the layer: batch, channels, then positions. "
    "`{input}` has {rank} axes, so one of them has no place.",
    "channel": "`{input}` has as many axes as one sample with channels has. Its first axis, of "
    "size {first}, is then read as the channels, and the layer takes one.",
    "flattened": "The sample had no batch axis, so flattening from axis 1 on kept its first "
    "axis, of size {first}, as if that were the batch. All {total} numbers together are the "
    "features of one sample.",
}
TITLES = {
    "batch": "give `{operand}` its batch axis",
    "sample": "give the sample its batch axis where it goes into the model: `.unsqueeze(0)`",
    "channel": "give `{operand}` its channel axis",
    "drop": "drop axis {axis} of `{operand}`",
    "both": "give `{operand}` a batch axis and a channel axis",
    "positions": "give `{operand}` positions of size 1: its columns are the channels",
    "fold": "fold the axes that are neither channels nor positions into the batch axis",
}

FIRES = (
    "bn = nn.BatchNorm2d(3)\nx = torch.randn(3, 8, 9)\nbn(x)",
    "x = torch.randn(5, 8, 9)\nnn.Conv2d(1, 4, 3)(x)",
    "x = torch.randn(8, 9)\nnn.Conv2d(1, 4, 3)(x)",
    "noise = torch.randn(6, 12)\nnn.ConvTranspose2d(12, 4, 3)(noise)",
    "x = torch.randn(2, 3, 8, 1, 9)\nF.max_pool2d(x, 2)",
    "conv, fc = nn.Conv2d(1, 4, 3), nn.Linear(144, 2)\nimage = torch.randn(1, 8, 8)\n"
    "x = conv(image).flatten(1)\nfc(x)",
)
QUIET = (
    "nn.Conv2d(3, 4, 3)(torch.randn(3, 8, 9))",
    "nn.Conv2d(3, 4, 3)(torch.randn(5, 8, 9))",
    "nn.BatchNorm1d(3)(torch.randn(5, 3))",
    "nn.Linear(8, 2)(torch.randn(5, 4))",
)


def diagnose(observation: Observation) -> Finding | None:
    """Fires when the rank is not documented, or when it is that of another reading."""
    layer = layer_of(observation)
    if layer is None or layer.input is None:
        return None
    if not (variant := _variant(layer)):
        return None
    shape = layer.input.shape
    sample = sample_of(layer.observation, len(shape))
    facts = facts_of(layer.observation, rank=len(shape), most=max(layer.ranks, default=0))
    facts |= {"first": shape[0] if shape else 0, "total": prod(shape), "sample": sample.text}
    born = {"many": ("unsqueeze", "Embedding", "stack"), "flattened": ("flatten", "view")}
    origin = born_at(layer.input, *born.get(variant, ("index",)))
    entry = entry_of(observation)
    if variant in ("few", "flattened") and entry is not None:
        origin = entry.passage
    seen, needs = layer.observation, (("input", _needs(layer, variant)),)
    return Finding(CODE, NAME, SEVERITY, seen, variant, facts, ("input",), needs, origin=origin)


def _variant(layer: Layer) -> str:
    assert layer.input is not None
    shape, ranks = layer.input.shape, layer.ranks
    if layer.family == "Linear":
        wants = layer.size("in_features")
        cut = len(shape) == 2 and shape[0] > 1 and layer.input.origin_by("flatten", "Flatten")
        return "flattened" if cut and prod(shape) == wants and shape[1] != wants else ""
    if ranks and len(shape) > ranks[-1]:
        return "many"
    if ranks and len(shape) < ranks[0]:
        return "few" if len(ranks) == 1 or ranks == (2, 3) else "image"
    single = layer.family == "Conv" and len(shape) == layer.spatial + 1
    return "channel" if single and layer.size("in_channels") == 1 != shape[0] else ""


def _needs(layer: Layer, variant: str) -> str:
    if variant == "flattened":
        return f"(B, {layer.size('in_features')})"
    wants = layer.size("in_channels") or layer.size("num_features") or "C"
    rest = {1: ("T",), 2: ("H", "W"), 3: ("D", "H", "W")}[layer.spatial]
    return f"({', '.join(['B', str(wants), *rest])})"


def _layer_size(seen: Observation, name: str) -> int | None:
    """A setting of the layer that was called."""
    layer = layer_of(seen)
    return layer.size(name) if layer else None


def _added(sample: Operand) -> Repair:
    return Repair("batch", {"operand": sample.text}, (Change(sample.role, ".unsqueeze(0)"),))


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """Add the axis that is missing, where the sample comes in; drop one of size 1."""
    seen, variant = finding.observation, finding.variant
    shape = own.shape if (own := seen.operand("input")) else ()
    entry = entry_of(seen)
    if variant == "flattened":
        return (_added(entry),) if entry else (Repair("sample"),)
    if variant == "channel":
        fixed = changed(seen, "input", ".unsqueeze(1)", "channel")
        # One picture in colour looks the same as three or four grey ones.
        return (unproven(seen, fixed) if shape[0] in (3, 4) else fixed,)
    if variant == "few":
        return (_added(sample_of(seen, len(shape))),)
    if variant == "image" and shape[1:] == (_layer_size(seen, "in_channels"),):
        code = f"[:, :{', None' * (finding.facts['most'] - 2)}]"
        return (changed(seen, "input", code, "positions"),)
    if variant == "image":
        both = changed(seen, "input", ".unsqueeze(0).unsqueeze(0)", "both")
        return (both,) if len(shape) > 1 else ()
    ones = [axis for axis, size in enumerate(shape) if size == 1 and axis]
    if len(ones) == 1:
        return (changed(seen, "input", f".squeeze({ones[0]})", "drop", axis=ones[0]),)
    return (Repair("fold"),)
