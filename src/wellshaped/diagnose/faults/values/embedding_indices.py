"""An embedding got numbers that are not whole: it looks rows up by their number.

**What happens.** `Embedding` takes int64 or int32 row numbers. It got floats or booleans.

**Why.** Numbers read from a table or computed in numpy arrive as floats, and one float
column makes the whole tensor float. `torch.tensor([1.0, 2.0])` and `torch.Tensor` do so too.

    ids = torch.tensor(frame[["user", "score"]].values)[:, 0]    # float64
    nn.Embedding(100, 8)(ids)

**Repair.** `ids.long()`, at best where the tensor is made. When the values are no row
numbers, as after a normalisation, a cast would round them: a `Linear` layer takes those.

**Not a fault** when the dtype is int64 or int32. A number that is too large is another fault.
"""

from typing import Final

from wellshaped.diagnose.fit.layers import born_at, changed, facts_of, layer_of
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation
from wellshaped.records.repair import Repair

CODE, NAME, PRIORITY = "WS505", "embedding-indices", 30
SEVERITY: Final = "error"

HEADLINES = {
    "whole": "{name} got row numbers as {dtype}",
    "fractions": "{name} got {dtype} values that are no row numbers",
}
WHYS = {
    "whole": "Rows of the table are looked up by their number, which must be of an integer "
    "dtype. The values of `{input}` are whole numbers, kept as {dtype}.",
    "fractions": "Rows of the table are looked up by their number. `{input}` holds fractions, "
    "which a cast would cut off.",
}
TITLES = {
    "cast": "make `{operand}` integers",
    "other": "use the numbers from before they were scaled, or a `Linear` layer for values",
}

FIRES = (
    "table = nn.Embedding(8, 2)\nids = torch.tensor([1.0, 3.0])\ntable(ids)",
    "ids = torch.rand(4)\nnn.Embedding(8, 2)(ids)",
    "ids, table = torch.ones(4), torch.randn(8, 2)\nF.embedding(ids, table)",
)
QUIET = (
    "nn.Embedding(8, 2)(torch.tensor([1, 3]))",
    "nn.Embedding(8, 2)(torch.tensor([1, 30]))",
)

_INTEGERS = ("int64", "int32")


def diagnose(observation: Observation) -> Finding | None:
    """Fires when the indices of an embedding are of no integer dtype."""
    layer = layer_of(observation)
    if layer is None or layer.family not in ("Embedding", "EmbeddingBag") or not layer.input:
        return None
    fact = layer.input.fact
    if fact is None or fact.dtype in _INTEGERS:
        return None
    variant = "whole" if "whole" in layer.input.traits else "fractions"
    return Finding(
        CODE,
        NAME,
        SEVERITY,
        layer.observation,
        variant,
        facts_of(layer.observation, dtype=fact.dtype),
        ("input",),
        needs=(("input", "(*S) int64"),),
        origin=born_at(layer.input, "tensor", "from_numpy", "as_tensor", "Tensor"),
    )


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """Cast whole numbers; fractions are for no cast."""
    if finding.variant == "whole":
        return (changed(finding.observation, "input", ".long()", "cast"),)
    return (Repair("other"),)
