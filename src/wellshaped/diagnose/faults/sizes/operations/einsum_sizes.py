"""Two operands of an `einsum` give one letter different sizes.

**What happens.** A letter of the equation stands for one axis wherever it occurs. It has one
size in one operand and another in the next, and torch refuses.

**Why.** The letters name the axes in another order than the tensors have them, or a tensor was
cut or padded on the way.

    torch.einsum("bqe,bke->bqk", queries, keys)    # queries (4, 9, 16), keys (4, 12, 8)

**Repair.** Give the letters in the order of the axes, or bring the named axis to one size.

**Not a fault** when a letter has one size everywhere, or size 1 where it is repeated.
"""

import re
from typing import Final

from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation, Operand
from wellshaped.records.repair import Repair
from wellshaped.records.shape import shape_text

CODE, NAME, PRIORITY = "WS224", "einsum-sizes", 30
SEVERITY: Final = "error"

HEADLINES = {
    "size": "`einsum` got two sizes for `{letter}`: {first} and {second}",
    "rank": "`einsum` names {named} axes of `{operand}`, which has {rank}",
}
WHYS = {
    "size": "In `{equation}` the letter `{letter}` is axis {axis} of `{operand}`, of size "
    "{second}; `{other}` gives it {first}. A letter is one axis, with one size, in all operands.",
    "rank": "`{equation}` gives `{operand}` the letters `{term}`, and it is {shape}: every axis "
    "needs a letter.",
}
TITLES: dict[str, str] = {}

FIRES = (
    """
queries, keys = torch.randn(4, 9, 16), torch.randn(4, 12, 8)
torch.einsum("bqe,bke->bqk", queries, keys)
""",
    """
rows, weight = torch.randn(4, 9), torch.randn(9)
torch.einsum("bi,ij->bj", rows, weight)
""",
)
QUIET = (
    """
queries, keys = torch.randn(4, 9, 16), torch.randn(4, 12, 16)
torch.einsum("bqe,bke->bqk", queries, keys)
""",
)


def diagnose(observation: Observation) -> Finding | None:
    """Fires when a letter has two sizes, or an operand another number of axes than letters."""
    arguments = observation.options.get("args") or ()
    if observation.callee != "einsum" or not arguments or not isinstance(arguments[0], str):
        return None
    terms = re.sub(r"\s", "", arguments[0]).partition("->")[0].split(",")
    if len(terms) != len(observation.operands) or "." in arguments[0]:
        return None
    sizes: dict[str, tuple[int, Operand]] = {}
    for term, operand in zip(terms, observation.operands, strict=True):
        if operand.fact is None:
            return None
        if len(term) != len(operand.shape):
            return _rank(observation, operand, term, arguments[0])
        for axis, (letter, size) in enumerate(zip(term, operand.shape, strict=True)):
            known, other = sizes.setdefault(letter, (size, operand))
            if known != size and 1 not in (known, size):
                facts = {"letter": letter, "axis": axis, "first": known, "second": size}
                facts |= {"other": other.text, "operand": operand.text, "equation": arguments[0]}
                return _found(observation, operand, "size", facts)
    return None


def _rank(observation: Observation, operand: Operand, term: str, equation: str) -> Finding:
    facts = {"operand": operand.text, "term": term, "equation": equation, "named": len(term)}
    facts |= {"rank": len(operand.shape), "shape": shape_text(operand.shape)}
    return _found(observation, operand, "rank", facts)


def _found(
    observation: Observation, operand: Operand, variant: str, facts: dict[str, object]
) -> Finding:
    return Finding(
        CODE, NAME, SEVERITY, observation, variant=variant, facts=facts, blamed=(operand.role,)
    )


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """What the equation should say is not told by the sizes."""
    return ()
