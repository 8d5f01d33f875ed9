"""No parameter of an optimizer gets a gradient: it takes its steps, and nothing changes.

**What happens.** The loss is printed, `backward()` and `step()` run, and the weights stay as
they were. Predictions are read out with `.item()` or `.data` and made into a tensor again; or
a reward of sampled words is called a loss; and `requires_grad_()` silences torch's error.

**Why.** A gradient reaches a weight only through operations that recorded it. A tensor that
was made from numbers, detached, drawn at random or computed under `no_grad` starts a new graph:
`requires_grad=True` on it gives a gradient to that tensor, and to nothing before it.

    loss = -reward_of(words).mean().requires_grad_()            # trains nothing
    loss = -(log_probs * (reward - reward.mean())).mean()       # trains the policy

**Repair.** Keep predictions as tensors up to the loss: drop `.item()`, `.data`, `.detach()`,
use `torch.stack` in place of `torch.tensor`. What was sampled has no gradient: weight the
log-probabilities of the samples by their reward.

**How it is decided.** Of every optimizer the run notes which parameters had a gradient when it
took a step. Where none had one in the whole run, the losses before its steps are followed back
to the first operation that cuts the graph and has parameters of that optimizer behind it.

**Not a fault** is an optimizer that steps without any backward pass, as where a schedule is
shown; one whose parameters are frozen, changed by other means, or take no part in the loss.
"""

from dataclasses import dataclass
from typing import Final

from wellshaped.diagnose.edits.graph_cuts import GraphCut, cut_facts, uncut, variant_of
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation
from wellshaped.records.repair import Repair

CODE, NAME, PRIORITY = "WS316", "nothing-trains", 30
SEVERITY: Final = "error"

HEADLINES = {
    "detached": "nothing trains: `{cut}` cuts the loss off from every parameter",
    "rebuilt": "nothing trains: `{cut}` makes a new tensor, cut off from every parameter",
    "left": "nothing trains: the loss is made from numbers that left the graph",
    "sampled": "nothing trains: the loss is made from samples, which have no gradient",
    "no_grad": "nothing trains: the loss is computed where gradients are switched off",
    "values": "nothing trains: the loss is made by `{cut}`, which has no derivative",
}
_ALL = "Not one of the {total} parameters of the optimizer got a gradient in any step"
WHYS = {
    "detached": _ALL + ": what `{cut}` gives is the start of a new graph.",
    "rebuilt": _ALL + ": a tensor made from values starts a new graph.",
    "left": _ALL + ": `{cut}` gives plain numbers, and a tensor made of them starts a new graph.",
    "sampled": _ALL + ": `{cut}` draws, and drawing has no derivative. Only the log-probability "
    "of what was drawn has one.",
    "no_grad": _ALL + ": what is computed under `{cut}` records none.",
    "values": _ALL + ": indices, comparisons and whole numbers have no derivative.",
}
TITLES = {
    "drop": "keep the graph: drop the cut",
    "keep": "keep the tensors instead of their values",
    "torch": "compute the loss with torch, without leaving it",
    "log_prob": "weight the log-probabilities of the samples by their reward",
    "enable": "compute the predictions where gradients are on",
    "smooth": "compute the loss from scores, not from choices",
}
_OTHERWISE = {
    "sampled": "log_prob",
    "no_grad": "enable",
    "values": "smooth",
    "left": "torch",
    "rebuilt": "torch",
}

FIRES = (
    """
x, y, net = torch.randn(8, 3), torch.randn(8, 1), nn.Linear(3, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
guess = net(x).detach()
loss = F.mse_loss(guess, y).requires_grad_()
loss.backward()
optimizer.step()
""",
    """
x, y, net = torch.randn(8, 3), torch.randn(8), nn.Linear(3, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
guesses = [net(row).item() for row in x]
loss = F.mse_loss(torch.tensor(guesses, requires_grad=True), y)
loss.backward()
optimizer.step()
""",
    """
x, policy = torch.randn(8, 3), nn.Linear(3, 4)
optimizer = torch.optim.SGD(policy.parameters(), lr=0.1)
words = torch.distributions.Categorical(logits=policy(x)).sample()
loss = -(words % 2 == 0).float().mean()
loss.requires_grad_()
loss.backward()
optimizer.step()
""",
)
QUIET = (
    """
x, policy = torch.randn(8, 3), nn.Linear(3, 4)
optimizer = torch.optim.SGD(policy.parameters(), lr=0.1)
dist = torch.distributions.Categorical(logits=policy(x))
words = dist.sample()
loss = -(dist.log_prob(words) * (words % 2 == 0).float()).mean()
loss.backward()
optimizer.step()
""",
    """
optimizer = torch.optim.SGD(nn.Linear(3, 1).parameters(), lr=0.1)
optimizer.step()
""",
    """
x, y, net = torch.randn(8, 3), torch.randn(8, 1), nn.Linear(3, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
loss = F.mse_loss(net(x), y)
loss.backward()
optimizer.step()
print(loss.item(), net(x).detach().numpy().mean())
""",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NothingTrains(GraphCut):
    """A cut that keeps a gradient from every parameter; it is detected with `no_gradient`."""


def diagnose(observation: Observation) -> Finding | None:
    """Fires on an optimizer none of whose parameters got a gradient."""
    if not isinstance(observation.facts, NothingTrains):
        return None
    cut = observation.operand("cut")
    variant, facts = variant_of(observation), cut_facts(observation)
    origin = cut.passage if cut else None
    return Finding(CODE, NAME, SEVERITY, observation, variant, facts, ("cut",), origin=origin)


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """Take the cut away, or say what the loss ought to be made of."""
    found = tuple(uncut(finding.observation))
    return found or (Repair(_OTHERWISE.get(finding.variant, "drop")),)
