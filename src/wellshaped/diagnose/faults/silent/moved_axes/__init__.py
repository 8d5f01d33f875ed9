"""`view` or `reshape` was used to move axes, and mixed them instead.

**What happens.** `(T, B, H)` is made `(B, T, H)` by `view(B, T, H)`, or `(N, H, W, C)` is
made `(N, C, H, W)` by `reshape`. The shape is right, and every row holds pieces of others.

**Why.** `view` and `reshape` never move an element: they read memory in order and cut it
anew. To exchange axes elements must be read in another order, which is what `permute` does.

    out = out.view(batch, time, hidden)       # out: (time, batch, hidden)
    out = out.transpose(0, 1)

**Repair.** `permute` or `transpose`; with a `reshape` behind it where axes are also merged.

**How it is decided.** It is a fault where the new sizes are the old ones, or products of
them, in an order that memory order does not give. Found in the run of the program itself.

**Not a fault** where axes are merged with their neighbours or cut in place: `(B, T, H)` to
`(B * T, H)`, `(B, T, heads * d)` to `(B, T, heads, d)`, `(B, T, F)` to `(B, T / 2, 2 * F)`.
Axes of equal size exchanged by a `view` look like no change at all, and are not found.
"""

from dataclasses import dataclass
from typing import Any, Final

from wellshaped.diagnose.fit.shapes import display_name
from wellshaped.records.facts import Facts
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation, Operand
from wellshaped.records.repair import Edit, Repair
from wellshaped.records.shape import shape_text

CODE, NAME, PRIORITY = "WS303", "moved-by-view", 30
SEVERITY: Final = "error"

HEADLINES = {
    "": "`{label}` was to move the axes of `{input}`, and mixed their elements",
}
WHYS = {
    "": "`{label}` reads memory in order and cuts it anew: {before} becomes {after}, and an "
    "element keeps its place in memory, not its place on each axis. The sizes are those of axes "
    "moved; the elements are not.",
}
TITLES = {
    "move": "move the axes instead",
    "merge": "move the axes, then merge them",
    "cut": "cut the axes in place, then move them",
}

FIRES = (
    """
x = torch.randn(10, 16, 12)
time, batch, hidden = x.shape
out = nn.Linear(12, 3)(x.view(batch, time, hidden))
""",
    """
clip = torch.randn(5, 3, 6, 8, 8)
n, c, t, h, w = clip.shape
clip.view(n * t, c, h, w)
""",
    """
x = nn.Linear(32, 32)(torch.randn(5, 12, 32))
x.view(5, 4, 12, 8)
""",
)
QUIET = (
    "x = torch.randn(10, 16, 12)\nx.view(160, 12)",
    "x = torch.randn(5, 12, 32)\nx.view(5, 12, 4, 8).transpose(1, 2).reshape(20, 12, 8)",
    "x = torch.randn(5, 12, 32)\nx.reshape(5, 6, 64)",
    "x = torch.randn(8, 1, 28, 28)\nx.view(8, -1)",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedAxes(Facts):
    """The order of axes that was meant; `how` is whether they are moved plainly, merged or cut."""

    how: str
    order: tuple[int, ...]
    result: tuple[int, ...]


def diagnose(observation: Observation) -> Finding | None:
    """Fires on what the record of a run calls moved axes."""
    known = observation.facts
    if not isinstance(known, MovedAxes):
        return None
    given = observation.operands[0]
    facts: dict[str, Any] = {
        "label": observation.label,
        "input": display_name(given),
        "before": shape_text(given.shape),
        "after": shape_text(known.result),
    }
    return Finding(CODE, NAME, SEVERITY, observation, "", facts, ("input",))


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """The permutation that was meant, before or behind the reshape as it is needed."""
    seen, known = finding.observation, finding.observation.facts
    assert isinstance(known, MovedAxes)
    given, sizes = seen.operands[0], seen.operands[1:]
    moving = _moving(known.order)
    if known.how == "plain":
        return (_replaced(seen, "move", f"{_text(given)}{moving}"),)
    written = [each.text for each in sizes] or [str(size) for size in known.result]
    if known.how == "merged":
        text = f"{_text(given)}{moving}.reshape({', '.join(written)})"
        return (_replaced(seen, "merge", text),)
    lying = sorted(range(len(known.order)), key=lambda place: known.order[place])
    text = f"{_text(given)}.reshape({', '.join(written[place] for place in lying)}){moving}"
    return (_replaced(seen, "cut", text),)


def _moving(order: tuple[int, ...]) -> str:
    swapped = [place for place, axis in enumerate(order) if place != axis]
    if len(swapped) == 2:
        return f".transpose({swapped[0]}, {swapped[1]})"
    return f".permute({', '.join(map(str, order))})"


def _text(given: Operand) -> str:
    plain = given.text.replace(".", "").replace("_", "").isalnum() or given.text.endswith(")")
    return given.text if plain else f"({given.text})"


def _replaced(seen: Observation, title: str, text: str) -> Repair:
    span = seen.passage.span
    edits = (Edit(seen.passage.place.file, span, text),) if span is not None else ()
    return Repair(title, edits=edits)
