"""Tensors were joined or stacked whose sizes differ where they must agree.

**What happens.** `cat` puts tensors behind each other along one axis; all other axes must
have equal sizes. `stack` makes a new axis; all axes must be equal.

**Why.** The default axis is 0, the batch, while features are meant; or a map was halved and
doubled again and lost a row of pixels; or sequences of different length were stacked.

    both = torch.cat([seen, told])            # (14, 12) and (14, 5) along axis 0
    both = torch.cat([seen, told], dim=1)     # (14, 17)

**Repair.** Name the axis along which the sizes may differ. Bring maps to one size with
`interpolate`. Pad sequences with `pad_sequence` before they become one tensor.

**Not a fault** when sizes differ along the joined axis only.
"""

import re
from dataclasses import replace
from itertools import combinations
from typing import Any, Final

from wellshaped.diagnose.edits.call_edits import (
    call_of,
    part_text,
    renamed,
    replaced,
    resized_birth,
    suffixed,
    with_argument,
)
from wellshaped.diagnose.fit.concat_fit import (
    CAT,
    JOINING,
    axis_of,
    joinable,
    odd_one,
    other_axis,
    repeated_along,
)
from wellshaped.diagnose.fit.shapes import display_name, joined
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation, Operand
from wellshaped.records.repair import Change, Repair
from wellshaped.records.shape import shape_text

CODE, NAME, PRIORITY = "WS215", "joined-sizes", 40
SEVERITY: Final = "error"

HEADLINES = {
    "other_axis": "`{label}` joins along axis {axis}, where only axis {other} can differ",
    "size": "`{label}` along axis {axis} met {first_size} and {odd_size} on axis {where}",
    "rank": "`{label}` met tensors of rank {first_rank} and {odd_rank}",
    "scalar": "`{label}` met a tensor without axes",
    "stack": "`{label}` met tensors of shape {first_shape} and {odd_shape}",
}
WHYS = {
    "other_axis": "Along axis {axis} the tensors must agree on all other axes; axis {other} has "
    "{first_size} in `{first}` and {odd_size} in `{odd}`. Along axis {other} everything else is "
    "equal.",
    "size": "Joining along axis {axis} leaves all other axes as they are, so they must be equal. "
    "Axis {where} has {first_size} in `{first}` and {odd_size} in `{odd}`.",
    "rank": "`{first}` is {first_shape}, `{odd}` is {odd_shape}. Joined tensors need the same "
    "number of axes, and none is added by itself.",
    "scalar": "`{odd}` is (): it has no axis along which it could be joined. `stack` would make "
    "one.",
    "stack": "Stacking adds an axis and keeps the rest, so all shapes must be equal. `{first}` is "
    "{first_shape}, `{odd}` is {odd_shape}.",
}
TITLES = {
    "axis": "join along axis {other}",
    "unsqueeze": "give `{odd}` the missing axis",
    "pad": "pad them to the longest, in a batch of sequences",
    "interpolate": "bring `{first}` to the size of `{odd}`",
    "stack": "make the axis with `stack`",
    "rows": "take the number of rows from `{other}`",
    "turn": "swap two axes of `{odd}`",
    "spread": "repeat `{one}` along axis {where}, as often as `{other}` has places",
    "repeated": "repeat along axis {where} instead",
}

FIRES = (
    "seen, told = torch.randn(14, 12), torch.randn(14, 5)\ntorch.cat([seen, told])",
    "a, b = torch.randn(2, 3, 14, 16), torch.randn(2, 5, 15, 16)\ntorch.cat([a, b], dim=1)",
    "x, t = torch.randn(4, 3), torch.randn(4)\ntorch.cat([x, t], dim=1)",
    "token, x = torch.randn(1, 1, 8), torch.randn(4, 6, 8)\ntorch.cat([token, x], dim=1)",
    "h, x = torch.randn(4, 1, 8).repeat(6, 1, 1), torch.randn(4, 6, 8)\ntorch.cat([h, x], dim=2)",
    "rows = [torch.ones(3), torch.ones(5)]\ntorch.stack(rows)",
    "waves = [torch.ones(1, 3), torch.ones(1, 5)]\ntorch.stack(waves)",
    "a = [torch.tensor(1.0), torch.tensor(2.0)]\ntorch.cat(a)",
)
QUIET = (
    "a, b = torch.randn(2, 3), torch.randn(4, 3)\ntorch.cat([a, b], dim=2)",
    "a, b = torch.randn(2, 3), torch.randn(2, 3)\ntorch.stack([a, b], dim=5)",
)

_MAKING = ("expand", "repeat", "zeros", "ones", "full", "randn", "rand", "new_zeros", "new_ones")


def diagnose(observation: Observation) -> Finding | None:
    """Fires when two of the tensors differ on an axis that must be equal."""
    given = joinable(observation)
    if observation.kind != "operation" or observation.callee not in JOINING or not given:
        return None
    axis = axis_of(observation, given[0])
    variant, first, odd = odd_one(observation.callee, given, axis)
    if not variant:
        return None
    shown = replace(observation, operands=(first, odd)) if len(given) > 4 else observation
    facts = _facts(first, odd, axis) | {"axis": axis, "label": observation.label}
    if variant == "size" and (other := other_axis(given, axis)) is not None:
        variant, facts = "other_axis", facts | {"other": other}
    return Finding(CODE, NAME, SEVERITY, shown, variant, facts, blamed=(odd.role,))


def _facts(first: Operand, odd: Operand, axis: int) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    for name, each in (("first", first), ("odd", odd)):
        facts |= {name: display_name(each), f"{name}_shape": shape_text(each.shape)}
        facts[f"{name}_rank"] = len(each.shape)
    pairs = enumerate(zip(first.shape, odd.shape, strict=False))
    unlike = [(place, a, b) for place, (a, b) in pairs if a != b and place != axis]
    if unlike:
        facts |= dict(zip(("where", "first_size", "odd_size"), unlike[0], strict=True))
    return facts


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """Another axis, one more axis, padding, or one size for both maps."""
    observation, variant, axis = finding.observation, finding.variant, finding.facts["axis"]
    odd, given = observation.operand(finding.blamed[0]), joinable(observation)
    passage, node = observation.passage, call_of(observation.passage)
    if odd is None or node is None or not node.args or not passage.text.startswith("torch."):
        return ()
    if variant == "other_axis" and observation.callee in CAT:
        other = str(finding.facts["other"])
        edits = with_argument(passage, "dim", 1, other)
        return (Repair("axis", changes=(Change("dim", other),), edits=edits),)
    if variant == "rank":
        return _unsqueezed(odd, given, axis)
    if variant == "stack" and odd.shape and all(each.shape[1:] == odd.shape[1:] for each in given):
        text = (
            f"torch.nn.utils.rnn.pad_sequence({part_text(passage, node.args[0])}, batch_first=True)"
        )
        return (Repair("pad", edits=(replaced(passage, node, text),)),)
    if variant == "stack" and len(odd.shape) == 2 and len({each.shape[0] for each in given}) == 1:
        turned = f"[each.t() for each in {part_text(passage, node.args[0])}]"
        text = f"torch.nn.utils.rnn.pad_sequence({turned}, batch_first=True).transpose(1, 2)"
        return (Repair("pad", edits=(replaced(passage, node, text),)),)
    if variant == "scalar" and not any(each.shape for each in given):
        return (Repair("stack", edits=renamed(passage, "stack")),)
    if variant == "size" and (fixed := _along(finding, given, axis)):
        return fixed
    if variant == "size" and (fixed := (*_sized(finding, given), *_turned(odd, given, axis))):
        return fixed
    if variant == "size" and len(odd.shape) == 4 and axis == 1:
        text = f"torch.nn.functional.interpolate({given[0].text}, size={odd.text}.shape[-2:])"
        return (Repair("interpolate", changes=(Change(given[0].role, text),)),)
    return ()


def _unsqueezed(odd: Operand, given: list[Operand], axis: int) -> tuple[Repair, ...]:
    first = next(each for each in given if len(each.shape) != len(odd.shape))
    ways = ((k, (*odd.shape[:k], 1, *odd.shape[k:])) for k in range(len(odd.shape) + 1))
    fitting = [place for place, shape in ways if joined([first.shape, shape], axis)]
    changes = tuple(Change(odd.role, f".unsqueeze({place})") for place in fitting[:1])
    return (Repair("unsqueeze", changes=changes),) if len(fitting) == 1 else ()


def _sized(finding: Finding, given: list[Operand]) -> tuple[Repair, ...]:
    """The rows of a tensor that is made beside the call, taken from the other."""
    if finding.facts["where"] != 0 or len(given) != 2:
        return ()
    for made, other in (given, given[::-1]):
        plain = re.fullmatch(r"[\w.]+", other.text)
        birth = made.origins[0] if made.origins else None
        if birth is None or not plain or birth.operation not in _MAKING:
            continue
        edits = resized_birth(birth, made.shape[0], f"{other.text}.size(0)")
        if edits:
            return (Repair("rows", {"other": other.text}, edits=edits),)
    return ()


def _along(finding: Finding, given: list[Operand], axis: int) -> tuple[Repair, ...]:
    """One of two tensors spread along the axis on which it has a single place, or repeated there.

    A token or a state that is the same for all rows, or all steps, is joined to each of them.
    """
    where = finding.facts["where"]
    for one, other in (given, given[::-1]) if len(given) == 2 else ():
        rest = [k for k in range(len(one.shape)) if k not in (axis, where)]
        alike = all(one.shape[k] == other.shape[k] for k in rest)
        if one.shape[where] == 1 and alike and re.fullmatch(r"\w+", other.text):
            sizes = ["-1"] * len(one.shape)
            sizes[where] = f"{other.text}.size({where})"
            facts = {"one": one.text, "other": other.text, "where": where}
            edits = suffixed(one.passage, f".expand({', '.join(sizes)})") if one.passage else ()
            return (Repair("spread", facts, edits=edits),)
        if found := repeated_along(one, other.shape, axis):
            return tuple(Repair("repeated", {"where": k}, edits=each) for k, each in found)
    return ()


def _turned(odd: Operand, given: list[Operand], axis: int) -> tuple[Repair, ...]:
    """The two axes of one tensor that, swapped, make it fit all others."""
    others = [each.shape for each in given if each is not odd]
    found = []
    for a, b in combinations(range(len(odd.shape)), 2):
        order = list(odd.shape)
        order[a], order[b] = order[b], order[a]
        if odd.shape[a] != odd.shape[b] and joined([*others, tuple(order)], axis):
            found.append(f".transpose({a}, {b})")
    if len(found) != 1:
        return ()
    return (Repair("turn", {"odd": odd.text}, (Change(odd.role, found[0]),)),)
