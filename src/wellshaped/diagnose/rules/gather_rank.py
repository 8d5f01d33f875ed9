"""`gather` got an index with another number of axes than the tensor it picks from.

**What happens.** `q.gather(1, actions)` raises: the index must have the same number of axes.

**Why.** `gather` picks one entry for each entry of the index, so both need the same axes. The
values of all actions are `(B, A)`; the actions taken are a vector, `(B,)`.

    q = policy(states).gather(1, actions)       # (B, A) and (B,)

**Repair.** Give the index the axis, and take it from what comes out: one value for each row.

    q = policy(states).gather(1, actions.unsqueeze(1)).squeeze(1)

**Not a fault** when both have the same number of axes.
"""

from typing import Final

from wellshaped.diagnose.shapes import plain_arguments
from wellshaped.diagnose.written import applied, call_of, part_text, renamed, replaced
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation, Operand
from wellshaped.records.repair import Edit, Repair
from wellshaped.records.shape import shape_text
from wellshaped.records.source import Passage

CODE, NAME, PRIORITY = "WS114", "gather-rank", 40
SEVERITY: Final = "error"

HEADLINES = {
    "": "`gather` along axis {axis} got an index of rank {rank}",
    "stacked": "`gather` got an index of rank {rank} for a tensor with one more axis",
}
WHYS = {
    "": "One entry is picked for each entry of the index, so the index needs as many axes as the "
    "tensor. `{index}` is {index_shape}: it has no axis {axis}.",
    "stacked": "One entry is picked for each entry of the index, so both need the same axes. "
    "`{stacked}` made a new axis of rows that already had one; `cat` joins them along it.",
}
TITLES = {
    "pick": "give `{index}` the axis, and take it from what is picked",
    "join": "join the rows with `cat`, which makes no new axis",
}

FIRES = (
    "q, actions = torch.randn(6, 3), torch.tensor([0, 2, 1, 1, 0, 2])\nq.gather(1, actions)",
    """
net = nn.Sequential(nn.Linear(4, 3))
class Policy(nn.Module):
    def forward(self, x): return net(x)
policy, states, actions = Policy(), torch.randn(6, 4), torch.zeros(6, dtype=torch.long)
policy(states).gather(1, actions)
""",
    """
states = [torch.randn(1, 3) for _ in range(6)]
torch.stack(states).gather(1, torch.zeros(6, 1, dtype=torch.long))
""",
)
QUIET = ("torch.randn(6, 3).gather(1, torch.zeros(6, 1)).view(7)",)


def diagnose(observation: Observation) -> Finding | None:
    """Fires when the index has too few axes for the one that is named."""
    index = _index(observation)
    if observation.callee != "gather" or index is None or not observation.raised:
        return None
    stacked = _stacked(observation, index)
    if stacked is not None:
        facts = {"rank": len(index.shape), "index": index.text, "stacked": stacked.text}
        return Finding(CODE, NAME, SEVERITY, observation, "stacked", facts, origin=stacked)
    axis = (*plain_arguments(observation), None)[0]
    axis = observation.options.get("dim", axis)
    if type(axis) is not int or axis < 1 or len(index.shape) != axis:
        return None
    facts = {"axis": axis, "rank": axis, "index": index.text}
    facts |= {"index_shape": shape_text(index.shape)}
    return Finding(CODE, NAME, SEVERITY, observation, "", facts, (index.role,))


def _stacked(observation: Observation, index: Operand) -> Passage | None:
    """Where rows that have a batch axis of their own, of size 1, were stacked."""
    picked = observation.operands[0]
    born = picked.born_of("stack")
    one_more = picked.shape[1:2] == (1,) and len(picked.shape) == len(index.shape) + 1
    return born.passage if born is not None and one_more else None


def _index(observation: Observation) -> Operand | None:
    found = [each for each in observation.operands if each.fact and each.role != "input"]
    whole = [each for each in found if each.fact and each.fact.dtype == "int64"]
    return whole[-1] if whole else None


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """The index with the axis, the result without it."""
    if finding.variant == "stacked" and finding.origin is not None:
        return (Repair("join", edits=renamed(finding.origin, "cat")),)
    seen, axis = finding.observation, finding.facts["axis"]
    node, index = call_of(seen.passage), _index(seen)
    given = [*node.args, *(each.value for each in node.keywords)] if node else []
    named = [each for each in given if index and part_text(seen.passage, each) == index.text]
    if node is None or index is None or len(named) != 1 or seen.passage.span is None:
        return ()
    inner = replaced(seen.passage, named[0], applied(index.text, f".unsqueeze({axis})"))
    return (Repair("pick", edits=(_whole(finding, inner, f".squeeze({axis})"),)),)


def _whole(finding: Finding, inner: Edit, behind: str) -> Edit:
    """The whole call, with the index changed and a method behind it."""
    passage = finding.observation.passage
    assert passage.span is not None
    start = inner.span.column - passage.span.column
    end = inner.span.end_column - passage.span.column
    text = passage.text[:start] + inner.text + passage.text[end:] + behind
    return Edit(passage.place.file, passage.span, text)
