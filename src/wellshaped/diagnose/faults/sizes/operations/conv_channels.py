"""A convolution got a tensor with another number of channels than it was built for.

**What happens.** `Conv2d(in_channels, ...)` reads axis 1 of `(N, C, H, W)` as the channels,
or axis 0 of one image without a batch, `(C, H, W)`. That axis is not `in_channels` long.

**Why.** Images that come from numpy, PIL or TensorFlow keep their channels last,
`(N, H, W, C)`. Or they are grey where the network was built for colour, or the other way.

    images = torch.from_numpy(pictures)      # (8, 32, 32, 3)
    nn.Conv2d(3, 16, 3)(images)              # reads 32 channels

**Repair.** Move the channels: `images.permute(0, 3, 1, 2)`. `.view` or `.reshape` to the
wanted shape runs too, but mixes the pixels. Where the number of channels itself differs,
build the layer for it or convert the images.

**Not a fault** when the channels stand where the convolution reads them.
"""

from typing import Final

from wellshaped.diagnose.edits.layer_size_edits import rebuilt_output
from wellshaped.diagnose.fit.layers import Layer, built_at, changed, facts_of, layer_of, rebuilt
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation
from wellshaped.records.repair import Repair

CODE, NAME, PRIORITY = "WS212", "conv-channels", 40
SEVERITY: Final = "error"

HEADLINES = {
    "last": "{name} got its {wants} channels on the last axis",
    "sequence": "{name} got its {wants} channels on the last axis",
    "elsewhere": "{name} got its {wants} channels on axis {where}",
    "grey": "{name} takes {wants} channels and got images with one",
    "colour": "{name} takes one channel and got {got}",
    "count": "{name} takes {wants} channels and got {got}",
    "shuffle": "{name} cannot make {got} channels into blocks of {factor} x {factor}",
}
_READS = "The channels are read from axis {axis} of `{input}`, and that one has size {got}. "
WHYS = {
    "last": _READS + "The {wants} channels stand on the last axis, as numpy and image files "
    "keep them.",
    "sequence": _READS + "The {wants} channels stand on the last axis, as embeddings and "
    "recurrent layers give them.",
    "elsewhere": _READS + "The {wants} channels stand on axis {where}, as in a clip that is a "
    "series of images.",
    "grey": _READS + "The weight has one slice for each of {wants} channels.",
    "colour": _READS + "The weight has one slice, for grey images.",
    "count": _READS + "The weight has one slice for each of {wants} channels.",
    "shuffle": "Each channel of the result is made of {wants} channels, one for each place of a "
    "block. `{input}` has {got}, which is not a multiple.",
}
TITLES = {
    "move": "move the channels of `{operand}` to axis {axis}",
    "rebuild": "build the layer with `{setting}={value}`",
    "repeat": "give the images {wants} equal channels: `.expand({expand})`",
    "mean": "make the images grey: `.mean({axis}, keepdim=True)`",
}

FIRES = (
    "images = torch.randn(2, 9, 8, 3)\nconv = nn.Conv2d(3, 4, 3)\nconv(images)",
    "net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU())\nx = torch.randn(2, 1, 8, 9)\nnet(x)",
    "conv = nn.Conv2d(1, 4, 3)\nx = torch.randn(2, 3, 8, 9)\nconv(x)",
    "clips = torch.randn(2, 7, 3, 8, 8)\nnn.Conv3d(3, 4, 3)(clips)",
    "x = torch.randn(2, 40, 6)\nnn.Conv1d(6, 4, 3)(x)",
    "x, weight = torch.randn(2, 5, 8, 9), torch.randn(4, 6, 3, 3)\nF.conv2d(x, weight)",
    "conv, up = nn.Conv2d(1, 8, 1), nn.PixelShuffle(3)\nup(conv(torch.randn(2, 1, 5, 6)))",
)
QUIET = (
    "nn.Conv2d(3, 4, 3)(torch.randn(2, 3, 8, 9))",
    "nn.Conv2d(3, 4, 3)(torch.randn(2, 3, 8, 9).double())",
    "nn.Conv2d(1, 4, 3)(torch.randn(5, 8, 9))",
)

_MOVED = ("last", "sequence", "elsewhere")


def diagnose(observation: Observation) -> Finding | None:
    """Fires when the rank is right and the channel axis is not `in_channels` long."""
    layer = layer_of(observation)
    if observation.callee == "PixelShuffle" and observation.kind == "module":
        return _shuffled(observation)
    if layer is None or layer.family not in ("Conv", "ConvTranspose") or layer.input is None:
        return None
    wants, shape = layer.size("in_channels"), layer.input.shape
    axis = len(shape) - layer.spatial - 1
    if wants is None or axis not in (0, 1) or shape[axis] == wants or (axis == 0 and wants == 1):
        return None
    variant = _variant(shape, wants, axis)
    facts = facts_of(layer.observation, wants=wants, got=shape[axis], axis=axis)
    facts["where"] = shape.index(wants, axis + 1) if variant == "elsewhere" else ""
    facts["expand"] = ", ".join(["-1"] * axis + [str(wants)] + ["-1"] * layer.spatial)
    return Finding(
        CODE,
        NAME,
        SEVERITY,
        layer.observation,
        variant,
        facts,
        ("input",),
        needs=(("input", _needs(layer, wants, axis)),),
        origin=None if variant in _MOVED else built_at(layer.observation),
    )


def _shuffled(observation: Observation) -> Finding | None:
    """Channels that cannot be dealt out to blocks of places."""
    given, factor = observation.operand("input"), observation.options.get("upscale_factor")
    if given is None or len(given.shape) < 3 or type(factor) is not int:
        return None
    got, wants = given.shape[-3], factor**2
    if got % wants == 0:
        return None
    facts = facts_of(observation, wants=wants, got=got, factor=factor)
    return Finding(CODE, NAME, SEVERITY, observation, "shuffle", facts, ("input",))


def _variant(shape: tuple[int, ...], wants: int, axis: int) -> str:
    if shape[-1] == wants:
        return "sequence" if len(shape) - axis == 2 else "last"
    if axis == 1 and shape[2:].count(wants) == 1:
        return "elsewhere"
    if shape[axis] == 1:
        return "grey"
    return "colour" if wants == 1 else "count"


def _needs(layer: Layer, wants: int, axis: int) -> str:
    rest = {1: ("T",), 2: ("H", "W"), 3: ("D", "H", "W")}[layer.spatial]
    return f"({', '.join([*['B'] * axis, str(wants), *rest])})"


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """Move the channels; where their number differs, build the layer for it or convert."""
    observation, facts = finding.observation, finding.facts
    if finding.variant == "shuffle":
        return _dealt_out(observation, facts["wants"], facts["got"])
    if finding.variant in ("last", "sequence"):
        layer = layer_of(observation)
        spatial = layer.spatial if layer else 2
        first = facts["axis"]
        order = [*range(first), first + spatial, *range(first, first + spatial)]
        code = f".permute({', '.join(map(str, order))})"
        return (changed(observation, "input", code, "move", axis=first),)
    if finding.variant == "elsewhere":
        code = f".transpose({facts['axis']}, {facts['where']})"
        return (changed(observation, "input", code, "move", axis=facts["axis"]),)
    found = [*rebuilt(observation, "in_channels", facts["got"])]
    if finding.variant in ("grey", "colour"):
        found.append(Repair("repeat" if finding.variant == "grey" else "mean"))
    return tuple(found)


def _dealt_out(observation: Observation, wants: int, got: int) -> tuple[Repair, ...]:
    """The layer before, built for the channels of one, of three, or of about as many images."""
    given = observation.operand("input")
    counts = dict.fromkeys((1, 3, max(1, round(got / wants))))
    values = [wants * count for count in counts]
    found = (rebuilt_output(given, 1, value) for value in values) if given else ()
    return tuple(repair for each in found for repair in each)
