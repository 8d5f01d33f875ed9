"""Batch normalisation in training met one value per channel: a batch of one row.

**What happens.** `BatchNorm1d` on `(1, C)`, or any batch normalisation whose batch and
positions make one value per channel, refuses while the module is in training mode.

**Why.** It subtracts the mean of the batch and divides by its spread. Of one value the spread
is zero, and there is nothing to normalise by. The last batch of an epoch is the usual place.

    for x, y in DataLoader(data, batch_size=16):   # 33 rows: the last batch has one
        loss = criterion(net(x), y)

**Repair.** `drop_last=True` for training, or a batch size that leaves no single row. Scoring
one row needs `model.eval()`.

**Not a fault** in evaluation, where the running statistics are used.
"""

from math import prod
from typing import Final

from wellshaped.diagnose.fit.layers import named
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation
from wellshaped.records.repair import Repair
from wellshaped.records.shape import shape_text

CODE, NAME, PRIORITY = "WS403", "single-row-norm", 8
SEVERITY: Final = "error"

HEADLINES = {"": "{name} cannot normalise a batch of one row while training"}
WHYS = {
    "": "`{operand}` is {shape}: one value for each of {channels} channels. In training the layer "
    "divides by the spread of the batch, and one value has none.",
}
TITLES = {
    "drop": "leave out a last batch of one row: `drop_last=True`",
    "eval": "or, to score one row: `model.eval()`",
}

FIRES = (
    """
norm, x = nn.BatchNorm1d(5), torch.randn(1, 5)
norm(x)
""",
)
QUIET = (
    """
norm, x = nn.BatchNorm1d(5), torch.randn(2, 5)
norm(x)
""",
    """
norm, x = nn.BatchNorm1d(5).eval(), torch.randn(1, 5)
norm(x)
""",
)


def diagnose(observation: Observation) -> Finding | None:
    """Fires when batch and positions together leave one value per channel, in training."""
    if observation.kind != "module" or not observation.callee.startswith("BatchNorm"):
        return None
    operand = observation.operand("input")
    if operand is None or len(operand.shape) < 2 or not observation.options.get("training"):
        return None
    channels = operand.shape[1]
    if prod(operand.shape) != channels or channels != observation.options.get("num_features"):
        return None
    return Finding(
        CODE,
        NAME,
        SEVERITY,
        observation,
        facts={
            "name": named(observation),
            "operand": operand.text,
            "shape": shape_text(operand.shape),
            "channels": channels,
        },
        blamed=("input",),
        needs=(("input", "(B, C), B > 1"),),
    )


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """Two ways in words: which one is meant depends on what the batch is for."""
    return Repair("drop"), Repair("eval")
