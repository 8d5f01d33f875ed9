"""A map and its target have the same channels and another height or width.

**What happens.** An element-wise loss gets `(B, C, 27, 27)` and `(B, C, 28, 28)`: the rows and
the channels agree, the places do not.

**Why.** A convolution with stride 2 makes 14 places of 27 and of 28. The transposed
convolution that goes back cannot tell which it was, and gives the smaller one unless
`output_padding` says otherwise. Or the maps were never brought to one size.

    down = nn.Conv2d(1, 4, 3, stride=2, padding=1)            # 28 -> 14
    up = nn.ConvTranspose2d(4, 1, 3, stride=2, padding=1)     # 14 -> 27
    loss = F.mse_loss(up(down(image)), image)

**Repair.** `output_padding=1` where the transposed convolution is built; else `F.interpolate`
one map to the size of the other.

**Not a fault** when height and width agree.
"""

from typing import Final

from wellshaped.diagnose.edits.call_edits import applied, with_argument
from wellshaped.diagnose.fit.loss import CLASS_LOSSES, names_of, needs_of, refused
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation, Operand, Origin
from wellshaped.records.repair import Edit, Repair
from wellshaped.records.source import Passage

CODE, NAME, PRIORITY = "WS210", "map-size", 40
SEVERITY: Final = "error"

HEADLINES = {"": "`{label}` got a map of another size than its target: {first} and {second}"}
WHYS = {
    "": "The loss pairs the maps place by place; `{input}` has {first} places and `{target}` has "
    "{second}. A transposed convolution gives the smaller of the sizes its map may have had, "
    "unless `output_padding` says otherwise.",
}
TITLES = {
    "restore": "restore the size with `output_padding={padding}`",
    "scale": "scale `{input}` to the size of `{target}`",
}

FIRES = (
    """
up = nn.ConvTranspose2d(4, 1, 3, stride=2, padding=1)
small, image = torch.randn(2, 4, 7, 7), torch.randn(2, 1, 14, 14)
F.mse_loss(up(small), image)
""",
    """
small, image = torch.randn(2, 1, 7, 9), torch.randn(2, 1, 14, 18)
F.l1_loss(small, image)
""",
)
QUIET = (
    "F.mse_loss(torch.randn(2, 1, 7, 7), torch.randn(2, 1, 7, 7))",
    "F.mse_loss(torch.randn(2, 3, 7, 7), torch.randn(2, 4, 7, 7))",
)


def diagnose(observation: Observation) -> Finding | None:
    """Fires when rows and channels of two maps agree, and their places do not."""
    if refused(observation) is None or observation.callee in CLASS_LOSSES:
        return None
    scores, target = observation.operands[0], observation.operand("target")
    if target is None or len(scores.shape) != 4 or len(target.shape) != 4:
        return None
    if scores.shape[:2] != target.shape[:2] or scores.shape[2:] == target.shape[2:]:
        return None
    sizes = {"first": _places(scores), "second": _places(target)}
    born = _restoring(scores)
    return Finding(
        CODE,
        NAME,
        SEVERITY,
        observation,
        facts={**names_of(observation), **sizes},
        blamed=("input",),
        needs=needs_of(observation),
        origin=_built(born) if born else None,
    )


def _places(operand: Operand) -> str:
    return " x ".join(map(str, operand.shape[2:]))


def _restoring(operand: Operand) -> Origin | None:
    """The transposed convolution a map comes from."""
    near = (each for each in operand.origins[:3] if each.settings)
    return next((each for each in near if "output_padding" in each.options), None)


def _built(birth: Origin) -> Passage | None:
    return next((each.passage for each in birth.settings if each.role == "built"), None)


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """The places a transposed convolution left out; else a scaled map."""
    scores, target = finding.observation.operands[0], finding.observation.operand("target")
    assert target is not None
    return (*_restored(scores, target), *_scaled(scores, target))


def _restored(scores: Operand, target: Operand) -> tuple[Repair, ...]:
    """As many on each axis, and fewer than a stride."""
    birth = _restoring(scores)
    built = _built(birth) if birth else None
    missing = {b - a for a, b in zip(scores.shape[2:], target.shape[2:], strict=True)}
    if birth is None or built is None or len(missing) != 1:
        return ()
    held, strides = birth.options["output_padding"], birth.options["stride"]
    padding = held[0] + missing.pop()
    if len(set(held)) != 1 or not 0 < padding < min(strides):
        return ()
    edits = with_argument(built, "output_padding", 5, str(padding))
    return (Repair("restore", {"padding": padding}, edits=edits),)


def _scaled(scores: Operand, target: Operand) -> tuple[Repair, ...]:
    passage = scores.passage
    if passage is None or passage.span is None:
        return ()
    sized = f'size={applied(target.text, ".shape[-2:]")}, mode="bilinear"'
    code = f"torch.nn.functional.interpolate({scores.text}, {sized})"
    return (Repair("scale", edits=(Edit(passage.place.file, passage.span, code),)),)
