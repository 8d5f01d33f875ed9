"""A kernel or a pooling window is larger than the map it works on.

**What happens.** A convolution or a pooling layer has nothing left to slide over: the map with
its padding is smaller than the window, and the output would have no place.

**Why.** Each layer with a stride, or without padding, makes the map smaller. The images are
smaller than those the network was designed for, there is one layer too many, or the axes are in
another order and a small axis, such as the channels, is taken for the height.

    net = nn.Sequential(nn.Conv2d(1, 4, 5), nn.MaxPool2d(4), nn.Conv2d(4, 8, 5))
    net(torch.randn(2, 1, 16, 16))             # 16, 12, 3: smaller than the kernel of 5

**Repair.** Larger images, padding, a smaller kernel, or one layer less.

**Not a fault** when padding makes up for it: it counts as part of the map.
"""

from typing import Any, Final

from wellshaped.diagnose.fit.layers import layer_of
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation
from wellshaped.records.repair import Repair
from wellshaped.records.shape import shape_text

CODE, NAME, PRIORITY = "WS227", "window-too-large", 90
SEVERITY: Final = "error"

HEADLINES = {"": "a window of {window} is larger than the map of {places} it slides over"}
WHYS = {"": "`{operand}` is {shape}: with padding its map has {places} places, and `{label}` "
        "works on {window} of them at once."}  # fmt: skip
TITLES: dict[str, str] = {}

FIRES = (
    "net = nn.Conv2d(3, 4, 9)\nx = torch.randn(2, 3, 5, 5)\nnet(x)",
    "pool = nn.MaxPool2d(2)\nx = torch.randn(2, 3, 1, 1)\npool(x)",
    "x, weight = torch.randn(2, 3, 5), torch.randn(4, 3, 7)\nF.conv1d(x, weight)",
)
QUIET = (
    "nn.Conv2d(3, 4, 9, padding=2)(torch.randn(2, 3, 5, 5))",
    "nn.MaxPool2d(2)(torch.randn(2, 3, 2, 2))",
)

_FAMILIES = ("Conv", "MaxPool", "AvgPool")


def diagnose(observation: Observation) -> Finding | None:
    """Fires when no place is left for the window of a layer."""
    layer = layer_of(observation)
    if layer is None or layer.family not in _FAMILIES or layer.input is None:
        return None
    shape = layer.input.shape
    if len(shape) not in layer.ranks:
        return None
    window = _window(layer.settings, layer.spatial)
    padding = _each(layer.settings.get("padding", 0), layer.spatial)
    if window is None or padding is None:
        return None
    pairs = zip(shape[-layer.spatial :], padding, strict=True)
    places = tuple(size + 2 * more for size, more in pairs)
    if all(size >= needed for size, needed in zip(places, window, strict=True)):
        return None
    seen = layer.observation
    facts = {"label": seen.label, "operand": layer.input.text, "shape": shape_text(shape)}
    facts |= {"window": shape_text(window), "places": shape_text(places)}
    return Finding(CODE, NAME, SEVERITY, seen, facts=facts, blamed=("input",))


def _window(settings: Any, spatial: int) -> tuple[int, ...] | None:
    weight = settings.get("weight.shape")
    kernel = tuple(weight[2:]) if weight else _each(settings.get("kernel_size"), spatial)
    dilation = _each(settings.get("dilation", 1), spatial)
    if kernel is None or dilation is None or len(kernel) != spatial:
        return None
    return tuple((size - 1) * step + 1 for size, step in zip(kernel, dilation, strict=True))


def _each(value: Any, spatial: int) -> tuple[int, ...] | None:
    if isinstance(value, int):
        return (value,) * spatial
    whole = isinstance(value, tuple) and len(value) == spatial
    return value if whole and all(isinstance(each, int) for each in value) else None


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """Whether the images, the kernel or the depth are to change is a matter of design."""
    return ()
