"""An operation that needs at least one element got none.

**What happens.** `max`, `argmax` and their kin have no result for a tensor without elements;
`cat` and `stack` need a tensor, a `DataLoader` a sample, an optimizer a parameter.

**Why.** A filter or a mask selected nothing, a slice lies behind the end, a list was to be filled
by a loop that did not run, or a folder of data is empty.

    scores = torch.rand(6)
    chosen = scores[scores > 1]                # nothing is selected
    best = chosen.max()

**Repair.** Treat the empty case before the operation, `if len(rows):`, or find out why it is
empty.

**Not a fault** for sums, which are 0, and means, which are `nan`: those run.
"""

from typing import Final

from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation
from wellshaped.records.repair import Repair
from wellshaped.records.shape import shape_text

CODE, NAME, PRIORITY = "WS230", "empty-input", 95
SEVERITY: Final = "error"

HEADLINES = {"": "`{label}` got `{operand}`, which has no elements"}
WHYS = {"": "`{operand}` is {shape}. Of no elements there is no largest, smallest or middle "
        "one."}  # fmt: skip
TITLES: dict[str, str] = {}

FIRES = (
    "scores = torch.rand(6)\nchosen = scores[scores > 1]\nchosen.max()",
    "rows = torch.rand(0, 3)\nrows.argmax(0)",
)
QUIET = ("torch.rand(6).max()", "torch.rand(0, 3).sum(0)")

_NEEDING = ("max", "min", "argmax", "argmin", "amax", "amin", "aminmax", "kthvalue", "median")


def diagnose(observation: Observation) -> Finding | None:
    """Fires when a reduction without a neutral element got nothing."""
    first = observation.operands[0] if observation.operands else None
    if observation.callee not in _NEEDING or first is None or first.fact is None:
        return None
    if 0 not in first.shape:
        return None
    facts = {"label": observation.label, "operand": first.text, "shape": shape_text(first.shape)}
    return Finding(CODE, NAME, SEVERITY, observation, facts=facts, blamed=(first.role,))


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """What the result of nothing should be is for the program to say."""
    return ()
