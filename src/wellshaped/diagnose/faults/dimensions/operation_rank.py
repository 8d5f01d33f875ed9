"""An operation got a tensor with a number of axes that it does not take.

**What happens.** `torch.outer` takes two vectors, `torch.linalg.inv` matrices, `torch.diag` a
vector or a matrix. The tensor has more axes, or fewer, and torch refuses.

**Why.** A reduction or an index took an axis away, a batch axis was added, or a vector was
kept as a column `(N, 1)`.

    column, row = torch.randn(4, 1), torch.randn(5)
    torch.outer(column, row)                   # takes vectors: (4,) and (5,)

**Repair.** Give or take the axis where the tensor is made: `column.squeeze(1)`,
`matrix.unsqueeze(0)`. For a batch there is often another operation: `torch.bmm` for `mm`.

**Not a fault** when the operation takes any number of axes, as sums and element-wise ones do.
"""

from typing import Final

from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation
from wellshaped.records.repair import Repair
from wellshaped.records.shape import shape_text

CODE, NAME, PRIORITY = "WS115", "operation-rank", 95
SEVERITY: Final = "error"

HEADLINES = {"": "`{label}` needs `{needs}` axes and got `{operand}` with {rank}"}
WHYS = {"": "`{operand}` is {shape}. The operation reads a meaning from each axis, so their "
        "number is given."}  # fmt: skip
TITLES: dict[str, str] = {}

FIRES = (
    "column, row = torch.randn(4, 1), torch.randn(5)\ntorch.outer(column, row)",
    "row = torch.randn(4)\ntorch.linalg.inv(row)",
    "maps = torch.randn(2, 3, 4)\ntorch.diag(maps)",
)
QUIET = ("torch.outer(torch.randn(4), torch.randn(5))", "torch.linalg.inv(torch.randn(4, 3))")

# The least and the largest number of axes; None where there is no largest.
_RANKS: dict[str, tuple[int, int | None]] = {
    **dict.fromkeys(("outer", "ger", "bincount", "cartesian_prod"), (1, 1)),
    **dict.fromkeys(("trace", "t", "pdist"), (2, 2)),
    **dict.fromkeys(("diag", "multinomial"), (1, 2)),
    **dict.fromkeys(("inv", "det", "slogdet", "cholesky", "eig", "eigh", "qr", "svd"), (2, None)),
    **dict.fromkeys(("pinv", "matrix_power", "matrix_exp", "tril", "triu", "fliplr"), (2, None)),
    **dict.fromkeys(("pixel_shuffle", "pixel_unshuffle", "channel_shuffle"), (3, None)),
}


def diagnose(observation: Observation) -> Finding | None:
    """Fires when the tensors of a known operation have another number of axes than it takes."""
    if observation.kind != "operation" or observation.callee not in _RANKS:
        return None
    least, most = _RANKS[observation.callee]
    for operand in observation.operands:
        rank = len(operand.shape)
        if operand.fact is None or (rank >= least and (most is None or rank <= most)):
            continue
        needs = f">= {least}" if most is None else str(least) if least == most else "1 ... 2"
        facts = {"label": observation.label, "operand": operand.text, "rank": rank}
        facts |= {"needs": needs, "shape": shape_text(operand.shape)}
        return Finding(CODE, NAME, SEVERITY, observation, facts=facts, blamed=(operand.role,))
    return None


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """Which axis is too many, or missing, is not told by their number."""
    return ()
