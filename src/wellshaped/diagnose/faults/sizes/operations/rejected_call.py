"""PyTorch or NumPy rejected a call for a reason that no other rule knows.

**What happens.** A call raises, and tensors took part in it. The report shows the call, the shape
and dtype of each tensor, where they come from, and the message of the library.

**Why.** Each operation has rules of its own for the shapes, dtypes and values it takes. Where the
tensors differ in dtype or in shape the report says so; whether that is the reason, the message of
the library decides.

    total = torch.zeros(4, 8)
    part = torch.randn(2, 8).bfloat16()
    total.index_add_(0, torch.tensor([0, 1]), part)              # float32 and bfloat16
    total.index_add_(0, torch.tensor([0, 1]), part.to(total.dtype))

**Repair.** Small changes of the lines the tensors come from are tried on the program, and those
with which it runs are offered.

**Not a fault** when the program catches the exception on purpose.
"""

from typing import Final

from wellshaped.diagnose.fit.shapes import display_name
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation
from wellshaped.records.repair import Repair
from wellshaped.records.shape import shape_text

CODE, NAME, PRIORITY = "WS231", "rejected-call", 99
SEVERITY: Final = "error"

HEADLINES = {
    "dtypes": "`{label}` rejected tensors of different dtypes",
    "shapes": "`{label}` rejected tensors of different shapes",
    "one": "`{label}` rejected the tensor it got",
}
WHYS = {
    "dtypes": "`{one}` is {one_dtype} and `{other}` is {other_dtype}.",
    "shapes": "`{one}` is {one_shape} and `{other}` is {other_shape}.",
    "one": "`{one}` is {one_shape}, {one_dtype}.",
}
TITLES: dict[str, str] = {}

FIRES = (
    "total, part = torch.zeros(4, 8), torch.randn(2, 8).bfloat16()\n"
    "total.index_add_(0, torch.tensor([0, 1]), part)",
    "q = torch.randn(16, requires_grad=True) * 2\nq.backward(torch.ones(16, 1))",
)
QUIET = (
    # What another rule knows is said by that one.
    "x = torch.randn(4, 8)\nx.view(7)",
    "a, b = torch.randn(2, 3), torch.randn(2, 4)\na + b",
)


def diagnose(observation: Observation) -> Finding | None:
    """Fires for whatever raised with tensors in sight; every other rule comes first."""
    known = [each for each in observation.operands if each.fact is not None]
    if not observation.raised or not known:
        return None
    first = known[0]
    facts: dict[str, object] = {"label": observation.label, "one": display_name(first)}
    facts |= {"one_shape": shape_text(first.shape), "one_dtype": first.fact.dtype}  # type: ignore[union-attr]
    for variant, value in (("dtypes", "dtype"), ("shapes", "shape")):
        own = getattr(first.fact, value)
        other = next((each for each in known if _differs(getattr(each.fact, value), own)), None)
        if other is not None and other.fact is not None:
            facts |= {"other": display_name(other), "other_shape": shape_text(other.shape)}
            facts |= {"other_dtype": other.fact.dtype}
            return Finding(CODE, NAME, SEVERITY, observation, variant, facts)
    return Finding(CODE, NAME, SEVERITY, observation, "one", facts)


def _differs(value: object, own: object) -> bool:
    """Whether two shapes differ, or two dtypes of which neither is that of an index."""
    indices = ("int64", "int32", "bool")
    return value != own and value not in indices and own not in indices


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """None of its own: small changes are tried on the program."""
    return ()
