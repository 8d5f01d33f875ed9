"""PyTorch, NumPy or Python rejected a call for a reason that no other rule knows.

**What happens.** A call raises, and tensors took part in it; or Python itself raises on a value
that comes from a tensor, as at an unpacking, an index of a list or a missing attribute. The report
shows the call, the shape and dtype of each tensor, where they come from, and the message of the
library.

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
from wellshaped.records.observation import Observation, Operand
from wellshaped.records.repair import Repair
from wellshaped.records.shape import shape_text

CODE, NAME, PRIORITY = "WS231", "rejected-call", 99
SEVERITY: Final = "error"

HEADLINES = {
    "holder": "`{value}`, of type `{type}`, does not support `{label}` as it is used here",
    "value": "`{value}`, of type `{type}`, does not support `{label}` as it is used here",
    "unpacked": "unpacking `{one}` into {names} names failed: it has {parts} parts",
    "python": "`{label}` failed on what comes from a tensor",
    "own": "the program's own `{label}` stopped at a condition on a tensor",
    "inside": "`{label}` failed inside a library",
    "elsewhere": "`{label}` failed in a worker of the data loader",
    "dtypes": "`{label}` rejected tensors of different dtypes",
    "shapes": "`{label}` rejected tensors of different shapes",
    "one": "`{label}` rejected the tensor it got",
}
WHYS = {
    "holder": "`{value}` holds a tensor of shape {one_shape}, {one_dtype}.",
    "value": "It comes from `{one}`, which is {one_shape}, {one_dtype}.",
    "unpacked": "Unpacking a tensor goes along dim 0, and `{one}` is {one_shape}.",
    "python": "`{one}` is {one_shape}, {one_dtype}.",
    "own": "`{one}` is {one_shape}, {one_dtype}.",
    "elsewhere": "Only the lines of the worker's traceback arrived, so the shapes are not known. "
    "`wellshaped check` loads data in one process and shows them.",
    "inside": "There `{one}` is {one_shape}, {one_dtype}.",
    "dtypes": "`{one}` is {one_dtype} and `{other}` is {other_dtype}.",
    "shapes": "`{one}` is {one_shape} and `{other}` is {other_shape}.",
    "one": "`{one}` is {one_shape}, {one_dtype}.",
}
TITLES: dict[str, str] = {}

FIRES = (
    "total, part = torch.zeros(4, 8), torch.randn(2, 8).bfloat16()\n"
    "total.index_add_(0, torch.tensor([0, 1]), part)",
    "q = torch.randn(16, requires_grad=True) * 2\nq.backward(torch.ones(16, 1))",
    "rows = torch.randn(10, 3)\na, b = rows",
    "scores = torch.randn(1, 4)\nbest = scores.squeeze().tolist()[0][1]",
    "canvas = torch.zeros(8, 10)\ncanvas[0:3, 0:4] = torch.randn(3, 5)",
    "x = torch.randn(8, 4)\nassert x.shape == (8, 5)",
)
QUIET = (
    # What another rule knows is said by that one.
    "x = torch.randn(4, 8)\nx.view(7)",
    "a, b = torch.randn(2, 3), torch.randn(2, 4)\na + b",
)


def diagnose(observation: Observation) -> Finding | None:
    """Fires for whatever raised with tensors in sight; every other rule comes first."""
    known = [each for each in observation.operands if each.fact is not None]
    if observation.raised and observation.options.get("elsewhere"):
        return Finding(CODE, NAME, SEVERITY, observation, "elsewhere", {"label": observation.label})
    if not observation.raised or not known:
        return None
    first = known[0]
    facts: dict[str, object] = {"label": observation.label, "one": display_name(first)}
    facts |= {"one_shape": shape_text(first.shape), "one_dtype": first.fact.dtype}  # type: ignore[union-attr]
    variant = _plain(observation, known, facts)
    if variant:
        return Finding(CODE, NAME, SEVERITY, observation, variant, facts)
    for variant, value in (("dtypes", "dtype"), ("shapes", "shape")):
        own = getattr(first.fact, value)
        other = next((each for each in known if _differs(getattr(each.fact, value), own)), None)
        if other is not None and other.fact is not None:
            facts |= {"other": display_name(other), "other_shape": shape_text(other.shape)}
            facts |= {"other_dtype": other.fact.dtype}
            return Finding(CODE, NAME, SEVERITY, observation, variant, facts)
    return Finding(CODE, NAME, SEVERITY, observation, "one", facts)


def _plain(observation: Observation, known: list[Operand], facts: dict[str, object]) -> str:
    """The variant of a mistake of plain Python, with its facts; empty for a rejected call."""
    options = observation.options
    if options.get("inside"):
        return "inside"
    if not options.get("plain"):
        return ""
    if observation.callee in ("assert", "raise"):
        return "own"
    if "parts" in options:
        facts |= {"parts": options["parts"], "names": options["names"]}
        return "unpacked"
    if "value" in options:
        facts |= {"value": options["value"], "type": options["type"]}
        return "holder" if options["value"] == known[0].text else "value"
    return "python"


def _differs(value: object, own: object) -> bool:
    """Whether two shapes differ, or two dtypes of which neither is that of an index."""
    indices = ("int64", "int32", "bool")
    return value != own and value not in indices and own not in indices


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """None of its own: small changes are tried on the program."""
    return ()
