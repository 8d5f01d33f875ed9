"""An operation written by hand compared every prediction with every target.

**What happens.** `(pred - y) ** 2`, `(pred == y).float().mean()` or a metric of one's own
meets `(64, 1)` and `(64,)`, and gives `(64, 64)`. Nothing is raised; a mean hides the table.

**Why.** Shapes are laid on each other from the right. The one axis of `y` falls on the
axis of size 1 of `pred`, and the rows of `pred` are repeated against it: each row meets all.

    pred = model(x)                       # (64, 1)
    loss = ((pred - y) ** 2).mean()       # y: (64,)

**Repair.** Make the shapes equal: `pred.squeeze(1)`, or `y.unsqueeze(1)`.

**How it is decided.** The run follows each axis from the data on. It is a fault where the
rows of a batch are laid at right angles on the rows of the same batch (or on the whole data
set the batch was cut from), the numbers of axes differ, and one side comes from the model
while the other does not, or does not take part in the gradient; or one side was looked up for
each row (`gather`), or is the loss of each row. In a product it is one also where both come from
the model: `error ** 2 / var` with a column `var` and a vector of errors.

Where sizes alone agree, `(32, 8, 1)` and `(8,)`, it is told if the table then stops the program,
and would not with the axis of size 1 kept.

**Not a fault** where both sides come from the same place, as in tables of distances and
attention; where both have the same number of axes, `(64, 1)` and `(1, 64)`; where the axis of
size 1 was added in the same statement, or kept by a sum (`keepdim=True`) for a table of pairs.
"""

from dataclasses import dataclass
from typing import Any, Final

from wellshaped.diagnose.fit.shapes import display_name, insertion, is_of_distribution
from wellshaped.records.facts import Facts
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation
from wellshaped.records.phrase import phrase
from wellshaped.records.repair import Change, Repair
from wellshaped.records.shape import shape_text

CODE, NAME, PRIORITY = "WS302", "crossed-rows", 30
SEVERITY: Final = "error"

HEADLINES = {
    "pairs": "`{label}` met every row of `{tall}` with every row of `{flat}`",
    "whole": "`{label}` met a batch with the rows of a whole data set",
    "places": "`{label}` met every place of `{tall}` with every place of `{flat}`",
}
WHYS = {
    "pairs": "{flat_shape} is laid on {tall_shape} from the right: the result is {result}, a "
    "table of all pairs of rows instead of one value for each row. A mean or sum of it runs, and "
    "is not the one that was asked for.",
    "whole": "{flat_shape} is laid on {tall_shape} from the right: the result is {result}. "
    "Each row of the batch meets every row of the set it was cut from.",
    "places": "{flat_shape} is laid on {tall_shape} from the right: the result is {result}, a "
    "table of all pairs. Nothing is raised here; the program fails in line {line}, where all would "
    "fit without the table.",
}
TITLES = {
    "drop": "drop axis {axis} of `{operand}`",
    "add": "give `{operand}` the missing axis",
}

FIRES = (
    """
x, y = torch.randn(8, 3), torch.randn(8)
pred = nn.Linear(3, 1)(x)
((pred - y) ** 2).mean()
""",
    """
x, y = torch.randn(8, 3), torch.randint(0, 4, (8, 1))
predicted = nn.Linear(3, 4)(x).argmax(1)
(predicted == y).float().mean()
""",
    """
images, masks = torch.rand(4, 3, 6, 6), torch.rand(4, 6, 6)
probs = torch.sigmoid(nn.Conv2d(3, 1, 3, padding=1)(images))
(probs * masks).sum()
""",
    """
x, y = torch.randn(8, 3), torch.randn(8)
mean, var = nn.Linear(3, 1)(x).squeeze(1), nn.Linear(3, 1)(x).exp()
((y - mean) ** 2 / var).mean()
""",
    """
colours, density = torch.rand(6, 4, 3), nn.Linear(3, 1)(torch.randn(6, 4, 3))
weights = density * torch.full((4,), 0.25)
(weights * colours).sum(1)
""",
    """
x, y = torch.randn(8, 3), torch.randn(8)
said = torch.distributions.Normal(nn.Linear(3, 1)(x), 1.0)
-said.log_prob(y).mean()
""",
    """
states, actions = torch.randn(8, 3), torch.randint(0, 4, (8, 1))
policy = torch.distributions.Categorical(logits=nn.Linear(3, 4)(states))
-policy.log_prob(actions).mean()
""",
    """
x, y = torch.randn(8, 3), torch.randint(0, 4, (8,))
scores = nn.Linear(3, 4)(x).log_softmax(1)
sure = scores.gather(1, y.unsqueeze(1)).exp()
((1 - sure) ** 2 * F.nll_loss(scores, y, reduction="none")).mean()
""",
)
QUIET = (
    """
x, y = torch.randn(8, 3), torch.randint(0, 4, (8,))
losses = F.cross_entropy(nn.Linear(3, 4)(x), y, reduction="none")
column = losses.unsqueeze(1)
(column - losses).relu().mean() + (losses[:, None] - losses).abs().mean()
""",
    """
states, actions = torch.randn(8, 3), torch.randint(0, 4, (8, 1))
policy = torch.distributions.Categorical(logits=nn.Linear(3, 4)(states))
policy.log_prob(actions.squeeze(1)) + policy.log_prob(torch.arange(4)[:, None]).sum(0)
""",
    """
x, y = torch.randn(8, 3), torch.randn(8)
torch.distributions.Normal(nn.Linear(3, 1)(x), 1.0).log_prob(y[:, None]).mean()
""",
    "x = torch.randn(8, 3)\nz = nn.Linear(3, 1)(x)\nz - z.squeeze(1)",
    "x = torch.randn(8, 3)\nz = nn.Linear(3, 1)(x)\nz * z.squeeze(1)",
    "x = torch.randn(8, 3)\nz, w = nn.Linear(3, 1)(x), nn.Linear(3, 1)(x)\nz - w.squeeze(1)",
    "x, y = torch.randn(8, 3), torch.randn(8)\nnn.Linear(3, 1)(x) - y[:, None]",
    "x, t = torch.randn(8, 3), torch.linspace(0, 1, 5)\nnn.Linear(3, 1)(x) - t",
    """
x, y = torch.randn(8, 3), torch.randn(8, 3)
z = nn.Linear(3, 3)(x)
z.pow(2).sum(1, keepdim=True) + y.pow(2).sum(1) - 2 * z @ y.T
""",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossedRows(Facts):
    """Which operand has an axis of size 1, `stretched`, that rows were laid on, and of what size.

    `tall` and `flat` are the roles of the operands with more axes and with fewer; `rows_axis` of
    the tall one counts the rows. `whole_set` is whether a batch met the rows of a whole data set.
    """

    tall: str
    flat: str
    rows_axis: int
    stretched: int
    result: tuple[int, ...]
    tall_learned: bool
    whole_set: bool


def diagnose(observation: Observation) -> Finding | None:
    """Fires on what the record of a run calls crossed rows."""
    known = observation.facts
    if not isinstance(known, CrossedRows):
        return None
    tall, flat = observation.operand(known.tall), observation.operand(known.flat)
    assert tall is not None
    assert flat is not None
    facts: dict[str, Any] = {
        "label": observation.label,
        "tall": display_name(tall),
        "flat": display_name(flat),
        "tall_shape": shape_text(tall.shape),
        "flat_shape": shape_text(flat.shape),
        "result": shape_text(known.result),
    }
    variant = "whole" if known.whole_set else "pairs"
    if observation.stopped is not None:
        variant, facts = "places", {**facts, "line": observation.stopped.line}
    blamed = (flat.role if known.tall_learned else tall.role,)
    note = phrase("broadcast_to", shape=facts["result"])
    return Finding(CODE, NAME, SEVERITY, observation, variant, facts, blamed, note=note)


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """Drop the axis of size 1, or give the other side one in the same place."""
    known = finding.observation.facts
    assert isinstance(known, CrossedRows)
    if finding.variant == "whole":
        return ()
    axis = known.stretched
    tall, flat = (finding.observation.operand(role) for role in (known.tall, known.flat))
    assert tall is not None
    assert flat is not None
    drop = Repair(
        "drop",
        {"operand": display_name(tall), "axis": axis},
        (Change(tall.role, f".squeeze({axis})"),),
    )
    text = f".unsqueeze({axis})"
    if len(flat.shape) == 1:
        text = insertion((known.rows_axis,), len(tall.shape))
    add = Repair("add", {"operand": display_name(flat)}, (Change(flat.role, text),))
    wide = len(tall.shape) > 2
    found = (add, drop) if wide else (drop, add)
    return tuple(each for each in found if not is_of_distribution(each, finding.observation))
