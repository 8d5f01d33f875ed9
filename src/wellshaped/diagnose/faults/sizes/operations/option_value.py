"""An option has a value that the operation or layer does not take.

**What happens.** A probability lies outside 0 to 1, a stride is 0, a number of groups does not
divide the channels, an axis is named twice, a text names no mode that there is. Torch refuses
when the layer is built, or when it is called.

**Why.** A number was computed from sizes that do not go together, or meant for another
option; two options contradict each other.

    x = torch.randn(4, 8)
    F.dropout(x, p=50)                         # a probability: 0.5

**Repair.** Give a value that the operation takes; where it was computed, see from which sizes.

**Not a fault** when the value is unusual but has a meaning: a stride larger than the kernel.
"""

from typing import Any, Final

from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation
from wellshaped.records.repair import Repair

CODE, NAME, PRIORITY = "WS228", "option-value", 85
SEVERITY: Final = "error"

HEADLINES = {
    "range": "`{label}` got {value} for `{option}`",
    "twice": "`{label}` names axis {axis} twice",
}
WHYS = {
    "range": "What it takes: `{rule}`.",
    "twice": "Each axis has one place in the result.",
}
TITLES: dict[str, str] = {}

FIRES = (
    "x = torch.randn(4, 8)\nF.dropout(x, p=50)",
    "x = torch.randn(4, 8)\nx.permute(0, 0)",
    "x = torch.randn(4, 8)\nx.chunk(0)",
)
QUIET = (
    "F.dropout(torch.randn(4, 8), p=0.5)",
    "torch.randn(4, 8).permute(1, 0)",
    "torch.randn(4, 8).chunk(3)",
)

_DROPOUTS = ("dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout")
_SPLITS = ("chunk", "tensor_split")
_ENDLESS = float("inf")
_LEAST = 1e-300  # the smallest that is larger than 0, for what has to be positive
# Callees, option, its place among the arguments, the least and the largest it takes, and that
# as it is printed.
_RANGES: tuple[tuple[tuple[str, ...], str, int, float, float, str], ...] = (
    (_DROPOUTS, "p", 1, 0.0, 1.0, "0 ... 1"),
    (("cross_entropy",), "label_smoothing", 9, 0.0, 1.0, "0 ... 1"),
    (("smooth_l1_loss",), "beta", 9, 0.0, _ENDLESS, ">= 0"),
    (("huber_loss",), "delta", 9, _LEAST, _ENDLESS, "> 0"),
    (("triplet_margin_loss",), "margin", 9, _LEAST, _ENDLESS, "> 0"),
    (("multi_margin_loss",), "p", 9, 1, 2, "1, 2"),
    (_SPLITS, "chunks", 0, 1, _ENDLESS, "> 0"),
    (("split",), "split_size", 0, 0, _ENDLESS, ">= 0"),
    (("pixel_shuffle",), "upscale_factor", 1, 1, _ENDLESS, "> 0"),
)


def diagnose(observation: Observation) -> Finding | None:
    """Fires when a number lies outside what a known option takes, or an axis is named twice."""
    if observation.callee == "permute":
        return _twice(observation)
    for callees, option, place, least, most, rule in _RANGES:
        value = _given(observation, option, place)
        if observation.callee in callees and value is not None and not least <= value <= most:
            facts = {"label": observation.label, "option": option, "value": value, "rule": rule}
            return Finding(CODE, NAME, SEVERITY, observation, "range", facts)
    return None


def _given(observation: Observation, option: str, place: int) -> float | None:
    arguments: tuple[Any, ...] = observation.options.get("args") or ()
    value = observation.options.get(option, arguments[place] if place < len(arguments) else None)
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _twice(observation: Observation) -> Finding | None:
    first = observation.operands[0] if observation.operands else None
    arguments: tuple[Any, ...] = observation.options.get("args") or ()
    axes = arguments[0] if len(arguments) == 1 and type(arguments[0]) is tuple else arguments
    rank = len(first.shape) if first else 0
    if not rank or len(axes) != rank or not all(isinstance(each, int) for each in axes):
        return None
    counted = [axis % rank for axis in axes if -rank <= axis < rank]
    again = next((axis for axis in counted if counted.count(axis) > 1), None)
    if again is None or len(counted) != rank:
        return None
    facts = {"label": observation.label, "axis": again}
    return Finding(CODE, NAME, SEVERITY, observation, "twice", facts)


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """What was meant is not told by a value that cannot be."""
    return ()
