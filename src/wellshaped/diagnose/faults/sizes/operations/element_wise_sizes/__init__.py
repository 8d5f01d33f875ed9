"""Two tensors that are combined element by element have sizes that do not meet.

**What happens.** `a + b`, `a * b`, `a == b`, `where`, `masked_fill` or a hand-written loss
such as `((p - y) ** 2).mean()` is refused.

**Why.** Torch lays the shapes on each other from the right. On each axis the sizes must be
equal, or one of them 1. An axis that one tensor lacks is only added on the left.

    maps, gate = torch.randn(8, 12, 9, 9), torch.randn(8, 12)
    maps * gate                          # 12 is laid on 9
    maps * gate[:, :, None, None]        # (8, 12, 1, 1)

**Repair.** Give the smaller tensor axes of size 1 where it is to be repeated. Where one axis
differs, one of the two was made for another size: bring both to the same.

**Not a fault** when every pair of sizes is equal or has a 1. Such a call may still
broadcast by accident: see `silent-broadcast`.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

from wellshaped.diagnose.edits.call_edits import applied, instead_of, suffixed
from wellshaped.diagnose.edits.layer_size_edits import resized_table
from wellshaped.diagnose.edits.row_count_edits import (
    Recount,
    counted_finding,
    counted_repairs,
    recounted,
)
from wellshaped.diagnose.fit.elementwise_fit import alignment_edits, made_narrow, mismatch
from wellshaped.diagnose.fit.layout_match import matched_layouts
from wellshaped.diagnose.fit.shapes import (
    Shape,
    broadcast_shape,
    display_name,
    is_of_distribution,
    tensors,
)
from wellshaped.records.facts import Facts
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation, Operand
from wellshaped.records.repair import Change, Repair
from wellshaped.records.shape import shape_text
from wellshaped.records.source import Passage

CODE, NAME, PRIORITY = "WS222", "element-wise-sizes", 45
SEVERITY: Final = "error"

HEADLINES = {
    "counted": "`{made}` is made for {count} rows, and `{beside}` has {rows}",
    "missing": "`{label}` lays `{short}` on the wrong axes of `{wide}`",
    "swapped": "`{label}` met the axes of `{short}` and `{wide}` in different orders",
    "slice": "`{short}` has {have} places on axis {axis}, and `{wide}` needs {want}",
    "off_by_one": "`{short}` is one shorter than `{wide}` on axis {axis}: {have} and {want}",
    "flat": "`{label}` got `{short}` flattened to {short_shape}, and `{wide}` as {wide_shape}",
    "joint": "`{label}` pairs {rows} numbers with {rows} x {parts}: one for each part of an action",
    "table": "`{label}` laid a table of the model, {table_shape}, on {other_shape}",
    "classes": "`{label}` met the classes of `{short}` and of `{wide}` on different axes",
    "skip": "`{label}` met {have} channels in `{short}` and {want} in `{wide}`",
    "batch": "`{label}` met {have} rows in `{short}` and {want} in `{wide}`",
    "axis": "`{label}` met size {have} in `{short}` and {want} in `{wide}` on axis {axis}",
    "several": "`{label}` cannot pair {short_shape} with {wide_shape}",
    "heads": "`{label}` met scores of heads, {wide_shape}, with a mask of steps, {short_shape}",
    "in_place": "`{label}` cannot grow `{short}` from {short_shape} to {result}",
}
WHYS = {
    "counted": "The number of rows is fixed where the tensor is made, and `{label}` pairs it with "
    "the batch at hand. Batches have other numbers of rows: the last one of an epoch, and those "
    "of another batch size.",
    "missing": "Shapes are laid on each other from the right: {short_shape} falls on the last "
    "axes of {wide_shape}, where {have} meets {want}. Its sizes belong further left.",
    "swapped": "Shapes are laid on each other from the right, axis by axis: {short_shape} on "
    "{wide_shape}. With two axes of one of them swapped, all sizes meet.",
    "slice": "A slice stops at the end of what it is cut from. `{short}` therefore has {have} "
    "places, however many were asked for, and `{wide}` has {want}.",
    "flat": "`{short}` has its {have} numbers on one axis, `{wide}` as many on several: one side "
    "was flattened, and the other was not.",
    "joint": "The distribution takes each part of an action by itself, so that `log_prob` gives "
    "{parts} numbers for one action. Its probability is their product: the sum of the logarithms.",
    "table": "The table was made for the longest sequence, and the one at hand is shorter. Only "
    "the first places of the table belong to it.",
    "off_by_one": "Element by element, both need the same size on axis {axis}. One of them lost, "
    "or kept, a place that the other did not.",
    "classes": "`one_hot` makes the classes the last axis. The scores have them on axis 1: "
    "{short_shape} and {wide_shape}.",
    "skip": "The two branches are {short_shape} and {wide_shape}: axis 1, the "
    "channels, differs. A layer in one branch changed the size of the map, and the other branch "
    "did not follow.",
    "batch": "Each row of one is paired with a row of the other. One of them was made for "
    "another batch, or its rows were filtered or repeated.",
    "axis": "Element by element, sizes must be equal, or one of them 1. The two agree on every "
    "axis but {axis}: {short_shape} and {wide_shape}.",
    "several": "Shapes are laid on each other from the right. Sizes must be equal, or one of them "
    "1; here {have} meets {want}.",
    "heads": "The heads were split off behind the steps, so that the product compared heads with "
    "one another at each step. With the axes of steps and heads swapped, steps meet steps, and "
    "the mask fits.",
    "in_place": "The result has shape {result}. An operation in place must write it into "
    "`{short}`, which keeps its shape {short_shape}.",
}
TITLES = {
    "flat": "flatten `{operand}` as well",
    "heads": "move the heads before the steps where they are split off",
    "classes": "bring the classes of `{operand}` to axis 1",
    "picked": "take the row of `{operand}` that `{name}` tells, for each row",
    "joint": "add the parts up, for one number per action",
    "table_cut": "take as many places of `{operand}` as `{other}` has",
    "steps": "cut `{operand}` to the steps of the other side",
    "counted": "make as many rows as `{beside}` has",
    "ahead": "use as many of its rows as `{beside}` has",
    "insert": "repeat `{operand}` along axis {axes}",
    "inserts": "repeat `{operand}` along the axes {axes}",
    "project": "let both branches change alike, as with a convolution in the skip",
    "scale": "scale `{operand}` to the size of `{other}`",
    "table": "make `{operand}` with {size} places on axis {axis}",
    "swap": "swap axes {a} and {b} of `{operand}`",
}

FIRES = (
    "maps, gate = torch.randn(8, 12, 9, 9), torch.randn(8, 12)\nmaps * gate",
    "x, y = torch.randn(2, 8, 4, 4), torch.randn(2, 16, 4, 4)\nx + y",
    "p, y = torch.randn(80, 3), torch.randn(80, 4)\n((p - y) ** 2).mean()",
    "x, table = torch.randn(11, 6, 20), torch.randn(1, 11, 20)\nx + table",
    "x, pe = torch.randn(2, 20, 8), torch.randn(1, 16, 8)\nx + pe[:, :20]",
    "a, b = torch.randn(4, 12), torch.randn(4, 11)\ntorch.where(a > 0, a, b)",
    "s, keep = torch.randn(4, 3, 7, 7), torch.ones(4, 7)\ns.masked_fill(keep == 0, -1e9)",
    "out = torch.zeros(3)\nout += torch.ones(4, 3)",
    "small, x = torch.randn(2, 3, 4, 4), torch.randn(2, 3, 7, 7)\n"
    "x + F.interpolate(small, scale_factor=2)",
    "h, x = torch.randn(32, 8), torch.randn(5, 8)\nh + x",
    "p, y = torch.rand(2, 3, 4, 5), torch.zeros(2, 4, 5, dtype=torch.long)\np * F.one_hot(y, 3)",
    "p, y = torch.rand(2, 1, 3, 3), torch.ones(2, 1, 3, 3)\np = p.view(2, -1)\np * y",
    """
action = torch.distributions.Normal(torch.zeros(6, 2), 1).sample()
logp = torch.distributions.Normal(torch.zeros(6, 2), 1).log_prob(action)
logp - torch.zeros(6)
""",
    """
y = torch.randn(8)
parts = torch.distributions.Normal(torch.zeros(8, 5), 1.0, validate_args=True)
parts.log_prob(y)
""",
    """
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mask", torch.tril(torch.ones(9, 9)))
    def forward(self, scores): return scores.masked_fill(self.mask == 0, -1e9)
Model()(torch.randn(7, 7))
""",
    """
x, mask = torch.randn(2, 7, 12), torch.tril(torch.ones(7, 7))
query = x.view(2, 7, 3, 4)
key = x.view(2, 7, 3, 4)
scores = query @ key.transpose(-2, -1)
scores.masked_fill(mask == 0, -1e9)
""",
    """
words = torch.zeros(2, 9)
logp = words[:, :-1].log()
logp * words
""",
    """
batch_size = 4
for mean in (torch.randn(4, 2), torch.randn(3, 2)):
    mean + torch.randn(batch_size, 2)
""",
)
QUIET = (
    "a, b = torch.randn(4, 1), torch.randn(4)\n(a - b).view(3)",
    "a, b = torch.randn(2, 3), torch.randn(4, 5)\na @ b",
)

_OPERATIONS = frozenset(
    "add sub mul div pow remainder floor_divide true_divide subtract multiply divide eq ne lt le "  # noqa: SIM905 - a table
    "gt ge where masked_fill maximum minimum max min bitwise_and bitwise_or bitwise_xor "
    "logical_and logical_or fmod atan2 lerp add_ sub_ mul_ div_ copy_ masked_fill_ masked_select "
    "isclose hypot addcmul cosine_similarity pairwise_distance".split()
)
# With an axis more they would compare along another one than they name.
_ALONG = ("cosine_similarity", "pairwise_distance")


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadSplits(Facts):
    """The scores that fail are of heads: the places where heads were split off behind the steps."""

    places: tuple[Passage, ...]


def diagnose(observation: Observation) -> Finding | None:
    """Fires when two of the shapes do not broadcast, or do not fit in place."""
    if observation.callee not in _OPERATIONS or observation.kind != "operation":
        return None
    given = tensors(observation)
    if found := _recounted(observation):
        return counted_finding(CODE, NAME, observation, found[0])
    for first, second in combinations(given, 2):
        if broadcast_shape(first.shape, second.shape) is None:
            short, wide = sorted((first, second), key=lambda each: len(each.shape))
            variant, facts = mismatch(short, wide)
            if _heads_behind(observation, short.shape, wide.shape):
                variant = "heads"
            if variant == "missing" and short.shape[0] == wide.shape[0] == facts["have"]:
                facts["by_chance"] = facts["want"]  # rows that many are laid there, and it runs
            return _finding(observation, variant, facts, short, wide)
    in_place = observation.callee.endswith("_") or observation.options.get("inplace")
    result = broadcast_shape(*(each.shape for each in given)) if len(given) > 1 else None
    if in_place and result is not None and result != given[0].shape:
        facts = {"result": shape_text(result)}
        return _finding(observation, "in_place", facts, given[0], given[1])
    return None


def _heads_behind(observation: Observation, mask: Shape, scores: Shape) -> bool:
    """Whether a mask fits once the heads, which were split off last, stand before the steps."""
    if not isinstance(observation.facts, HeadSplits) or len(scores) != 4:
        return False
    rows, steps, heads, _ = scores
    return broadcast_shape(mask, (rows, heads, steps, steps)) is not None


def _recounted(observation: Observation) -> tuple[Recount, ...]:
    """The fixed numbers of rows without which the shapes would meet."""
    shapes = [each.shape for each in tensors(observation)]
    if broadcast_shape(*shapes) is not None:
        return ()
    return recounted(observation, lambda found: broadcast_shape(*found.values()) is not None)


def _finding(
    observation: Observation, variant: str, facts: dict[str, Any], short: Operand, wide: Operand
) -> Finding:
    if variant in ("slice", "off_by_one") and facts["have"] > facts["want"]:
        short, wide = wide, short
        facts |= {"have": facts["want"], "want": facts["have"]}
    facts |= {"short": display_name(short), "wide": display_name(wide), "label": observation.label}
    facts |= {"short_shape": shape_text(short.shape), "wide_shape": shape_text(wide.shape)}
    facts |= {"short_role": short.role, "wide_role": wide.role}
    table = wide if "held" in wide.traits else short
    facts |= {"table_shape": shape_text(table.shape)}
    facts |= {"other_shape": shape_text((short if table is wide else wide).shape)}
    born = short.origins[0].passage if variant == "slice" else None
    if variant == "joint" and (birth := wide.origin_by("log_prob")):
        born = birth.passage
    blamed = (short.role,)
    return Finding(CODE, NAME, SEVERITY, observation, variant, facts, blamed, origin=born)


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """Axes of size 1 for the smaller tensor, or two axes swapped in either."""
    if finding.variant == "counted":
        return counted_repairs(_recounted(finding.observation))
    short = finding.observation.operand(finding.facts["short_role"])
    wide = finding.observation.operand(finding.facts["wide_role"])
    if short is None or wide is None:
        return ()
    if finding.observation.callee in _ALONG:
        return ()
    if finding.variant == "skip":
        return (Repair("project"),)
    if finding.variant == "batch" and (picked := _picked(finding, short, wide)):
        return picked
    if finding.variant == "heads":
        heads = finding.observation.facts
        assert isinstance(heads, HeadSplits)
        moved = tuple(edit for each in heads.places for edit in suffixed(each, ".transpose(1, 2)"))
        return (Repair("heads", edits=moved),)
    if fitted := matched_layouts(finding.variant, short, wide):
        return fitted
    if fitted := (*_scaled(short, wide), *_resized(finding, short, wide)):
        return fitted
    found = list(alignment_edits(finding.variant, short, wide))
    if len(found) == 1:
        name, facts, one, text = found[0]
        here = Repair(name, facts, (Change(one.role, text),))
        if is_of_distribution(here, finding.observation):
            return ()
        looked_up = made_narrow(one) if finding.variant == "missing" else None
        if looked_up is None:
            return (here,)
        # Where it is used several times, one edit where it was looked up serves all of them.
        facts = {**facts, "operand": looked_up.passage.text}
        return here, Repair(name, facts, edits=suffixed(looked_up.passage, text))
    # Each of several readings would pass its trial: a trial cannot tell which was meant.
    return tuple(
        Repair(name, facts, edits=suffixed(one.passage, text) if one.passage else ())
        for name, facts, one, text in found
    )


def _picked(finding: Finding, short: Operand, wide: Operand) -> tuple[Repair, ...]:
    """A row of a table of the model for each row, where numbers in sight tell which."""
    for table, rows in ((short, wide), (wide, short)):
        numbers = finding.observation.options.get("numbers", ())
        names = [
            name
            for name, count, largest in numbers
            if count == rows.shape[0] and largest < table.shape[0]
        ]
        if "held" in table.traits and "held" not in rows.traits and table.passage:
            return tuple(
                Repair(
                    "picked",
                    {"operand": table.text, "name": name},
                    edits=suffixed(table.passage, f"[{name}]"),
                )
                for name in names
            )
    return ()


def _scaled(short: Operand, wide: Operand) -> tuple[Repair, ...]:
    """The map that was scaled by a factor, scaled to the size of the other instead."""
    if len(short.shape) != len(wide.shape) or short.shape[:2] != wide.shape[:2]:
        return ()
    for one, other in ((short, wide), (wide, short)):
        near = one.origins[0] if one.origins else None
        if near is None or near.operation != "interpolate" or len(one.shape) != 4:
            continue
        size = applied(other.text, ".shape[-2:]")
        edits = instead_of(near.passage, "scale_factor", "size", size)
        facts = {"operand": one.text, "other": other.text}
        return (Repair("scale", facts, edits=edits),) if edits else ()
    return ()


def _resized(finding: Finding, short: Operand, wide: Operand) -> tuple[Repair, ...]:
    """A table of parameters with as many places as the tensor it is laid on."""
    if finding.variant not in ("off_by_one", "axis"):
        return ()
    axis = finding.facts["axis"]
    for one, other in ((short, wide), (wide, short)):
        ways_to_write = resized_table(one, axis, other.shape[axis])
        facts = {"operand": one.text, "axis": axis, "size": other.shape[axis]}
        if ways_to_write and one.origin_by("Parameter"):
            return tuple(Repair("table", facts, edits=each) for each in ways_to_write)
    return ()
