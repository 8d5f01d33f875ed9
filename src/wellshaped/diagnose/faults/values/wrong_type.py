"""Something that is no tensor stands where a tensor is taken, or the other way round.

**What happens.** `torch.stack(a, b)` gets two tensors where it takes a list of them, a layer gets a
list or an array, a list holds texts or `None` where a tensor is made of it, a `DataLoader` gets
samples that it cannot put together.

**Why.** A value was not converted, a function that should return something returns `None`, an
array of rows with different lengths has become one of Python objects.

    left, right = torch.randn(8), torch.randn(8)
    both = torch.stack(left, right)            # takes a list: [left, right]

**Repair.** Convert where the value comes from, `torch.tensor(rows)`, or hand tensors over
as a list.

**Not a fault** for numbers: they go with tensors in all operations element by element.
"""

from typing import Final

from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation
from wellshaped.records.repair import Repair

CODE, NAME, PRIORITY = "WS509", "wrong-type", 35
SEVERITY: Final = "error"

HEADLINES = {"": "`{label}` takes a list of tensors and got the tensor `{operand}`"}
WHYS = {"": "Its first argument is the list of what is to be joined. A tensor in its place is "
        "one thing, and what follows it is taken for the axis."}  # fmt: skip
TITLES: dict[str, str] = {}

FIRES = (
    "left, right = torch.randn(8), torch.randn(8)\ntorch.stack(left, right)",
    "left, right = torch.randn(8), torch.randn(8)\ntorch.cat(left, right)",
)
QUIET = ("left, right = torch.randn(8), torch.randn(8)\ntorch.stack([left, right])",)

_JOINING = ("cat", "concat", "concatenate", "stack", "hstack", "vstack", "dstack", "column_stack")


def diagnose(observation: Observation) -> Finding | None:
    """Fires when an operation that takes a list of tensors got a tensor first."""
    first = observation.operands[0] if observation.operands else None
    if observation.callee not in _JOINING or first is None or first.fact is None:
        return None
    if first.role != "argument 0" or len(observation.operands) < 2:
        return None
    facts = {"label": observation.label, "operand": first.text}
    return Finding(CODE, NAME, SEVERITY, observation, facts=facts, blamed=(first.role,))


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """Which of the arguments belong to the list is not told by their types."""
    return ()
