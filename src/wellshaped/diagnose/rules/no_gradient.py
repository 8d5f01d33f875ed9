"""Parameters that are to be trained never get a gradient.

**What happens.** `features = self.encoder(x).detach()`, `torch.tensor(scores)`, `.item()`,
`.data` or a way through numpy stand between a model and its loss; or the loss is made of
sampled rewards, which no parameter can be blamed for. `backward` and `step` run, and the
parameters stay as they were initialised.

**Why.** A gradient follows the operations of torch back to the parameters. What is detached,
turned into numbers or drawn at random is new data: nothing leads back.

    loss = criterion(head(encoder(x).detach()), y)     # the encoder is never trained
    loss = -reward.mean()                              # of sampled words: trains nothing

**Repair.** Leave the tensor in the graph; for rewards, weigh the logarithm of the probability
of what was drawn: `-(log_prob * reward).mean()`.

**How it is decided.** Over the whole run: the optimizer holds these parameters, they took
part in what was cut off, and no step ever found a gradient on any of them.

**Not a fault** where parameters are frozen (`requires_grad=False`) or not in the optimizer;
where they get a gradient by another way, as behind the `detach` of a GAN or a target
network; where a part runs under `torch.no_grad()`, which is taken as meant.
"""

from typing import Any, Final

from wellshaped.diagnose.shapes import words
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation
from wellshaped.records.repair import Edit, Repair

CODE, NAME, PRIORITY = "WS306", "no-gradient", 30
SEVERITY: Final = "error"

HEADLINES = {
    "cut": "`{label}` cuts parameters off from every gradient",
    "nothing": "the optimizer steps, and none of its parameters ever gets a gradient",
}
WHYS = {
    "cut": "{parameters} parameter tensors lie behind this expression. The optimizer holds them, "
    "and in the whole run none of them had a gradient: they stay as they were initialised.",
    "nothing": "The loss does not lead back to any parameter of the optimizer. What is drawn at "
    "random or turned into numbers is new data; only the probability of a draw can be learned.",
}
TITLES = {
    "keep": "leave `{operand}` in the graph",
    "weigh": "let the loss depend on the parameters, as by the logarithm of a probability",
}

FIRES = (
    """
x, y, encoder, head = torch.randn(8, 3), torch.randn(8, 1), nn.Linear(3, 4), nn.Linear(4, 1)
optimizer = torch.optim.SGD([*encoder.parameters(), *head.parameters()], lr=0.1)
features = encoder(x).detach()
F.mse_loss(head(features), y).backward()
optimizer.step()
""",
    """
policy = nn.Linear(3, 2)
optimizer = torch.optim.SGD(policy.parameters(), lr=0.1)
action = torch.multinomial(policy(torch.randn(8, 3)).softmax(1), 1)
loss = -action.float().mean()
loss.requires_grad_()
loss.backward()
optimizer.step()
""",
)
QUIET = (
    """
x, y, model = torch.randn(8, 3), torch.randn(8, 1), nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loss = F.mse_loss(model(x), y)
loss.backward()
optimizer.step()
loss.detach() * 2 + model(x).detach().mean()
""",
    """
x, y, encoder, head = torch.randn(8, 3), torch.randn(8, 1), nn.Linear(3, 4), nn.Linear(4, 1)
optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
F.mse_loss(head(encoder(x).detach()), y).backward()
optimizer.step()
""",
)


def diagnose(observation: Observation) -> Finding | None:
    """Fires on what the record of a run says of gradients."""
    if observation.options.get("hazard") != "no_gradient":
        return None
    cut = observation.options["cut"]
    facts: dict[str, Any] = {
        "label": observation.passage.text or cut,
        "parameters": observation.options["parameters"],
    }
    variant = "nothing" if cut == "nothing" else "cut"
    return Finding(CODE, NAME, SEVERITY, observation, variant, facts)


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """The expression without what cuts it off."""
    seen = finding.observation
    inner, span = seen.operand("input"), seen.passage.span
    if inner is None or inner.passage is None or span is None:
        return (Repair("weigh"),) if finding.variant == "nothing" else ()
    edit = Edit(seen.passage.place.file, span, inner.text)
    return (Repair("keep", {"operand": words(inner)}, edits=(edit,)),)
