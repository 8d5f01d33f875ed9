"""`gather` or `scatter` got an index with other axes than the tensor it picks from.

**What happens.** `q.gather(1, actions)` raises: the index must have the same number of axes.
`onehot.scatter_(1, labels, 1)` raises alike. Or the index is longer than the tensor on another
axis than the one that is picked from.

**Why.** One entry is picked, or written, for each entry of the index, so both need the same axes.
The values of all actions are `(B, A)`; the actions taken are a vector, `(B,)`.

    q = policy(states).gather(1, actions)       # (B, A) and (B,)

**Repair.** Give the index the axis, and take it from what `gather` gives: one value for each row.
Where scores of `words[:, :-1]` are picked by all words: by those without the first.

    q = policy(states).gather(1, actions.unsqueeze(1)).squeeze(1)
    onehot.scatter_(1, labels.unsqueeze(1), 1)

**Not a fault** when both have the same number of axes.
"""

from typing import Final

from wellshaped.diagnose.edits.call_edits import (
    applied,
    call_of,
    part_text,
    renamed,
    replaced,
    suffixed,
)
from wellshaped.diagnose.fit.sequences import other_end
from wellshaped.diagnose.fit.shapes import plain_arguments
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation, Operand
from wellshaped.records.repair import Edit, Repair
from wellshaped.records.shape import shape_text
from wellshaped.records.source import Passage

CODE, NAME, PRIORITY = "WS114", "gather-rank", 40
SEVERITY: Final = "error"

HEADLINES = {
    "": "`{label}` along axis {axis} got an index of rank {rank}",
    "written": "`{label}` along axis {axis} got an index of rank {rank}",
    "rank": "`{label}` got an index of rank {rank} for a tensor of rank {tensor_rank}",
    "longer": "`{label}` got an index with {have} entries on axis {other} for {want} of the tensor",
    "stacked": "`gather` got an index of rank {rank} for a tensor with one more axis",
}
WHYS = {
    "written": "One entry is written for each entry of the index, so the index needs as many axes "
    "as the tensor. `{index}` is {index_shape}: it has no axis {axis}.",
    "rank": "One entry is picked or written for each entry of the index, so both need the same "
    "axes. `{index}` is {index_shape} and the tensor {shape}.",
    "longer": "One entry is picked along axis {axis} for each entry of the index. On every other "
    "axis the index may be as long as the tensor, {shape}, and is {index_shape}.",
    "": "One entry is picked for each entry of the index, so the index needs as many axes as the "
    "tensor. `{index}` is {index_shape}: it has no axis {axis}.",
    "stacked": "One entry is picked for each entry of the index, so both need the same axes. "
    "`{stacked}` made a new axis of rows that already had one; `cat` joins them along it.",
}
TITLES = {
    "pick": "give `{index}` the axis, and take it from what is picked",
    "write": "give `{index}` the axis",
    "steps": "cut `{index}` to the steps of the tensor",
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
    "onehot, labels = torch.zeros(6, 3), torch.tensor([0, 2, 1, 1, 0, 2])\n"
    "onehot.scatter_(1, labels, 1)",
    """
words = torch.zeros(2, 6, dtype=torch.long)
scores = torch.randn(2, 6, 9)[:, :-1]
scores.gather(2, words.unsqueeze(2))
""",
    "dist, words = torch.zeros(8, 3), torch.zeros(2, 4, dtype=torch.long)\n"
    "dist.scatter_(1, words.unsqueeze(1), 1)",
)
QUIET = (
    "torch.randn(6, 3).gather(1, torch.zeros(6, 1)).view(7)",
    "torch.zeros(6, 3).scatter_(1, torch.zeros(6, 1, dtype=torch.long), 1).view(7)",
)

_WRITING = ("scatter", "scatter_", "scatter_add", "scatter_add_")


def diagnose(observation: Observation) -> Finding | None:
    """Fires when the index has too few axes for the one that is named, or is longer elsewhere."""
    index = _index(observation)
    if observation.callee not in ("gather", *_WRITING) or index is None or not observation.raised:
        return None
    stacked = _stacked(observation, index)
    if stacked is not None:
        facts = {"rank": len(index.shape), "index": index.text, "stacked": stacked.text}
        return Finding(CODE, NAME, SEVERITY, observation, "stacked", facts, origin=stacked)
    axis = (*plain_arguments(observation), None)[0]
    axis = observation.options.get("dim", axis)
    if type(axis) is not int:
        return None
    facts = {"axis": axis, "rank": len(index.shape), "index": index.text}
    facts |= {"index_shape": shape_text(index.shape), "label": observation.label}
    if axis > 0 and len(index.shape) == axis:
        variant = "written" if observation.callee in _WRITING else ""
        return Finding(CODE, NAME, SEVERITY, observation, variant, facts, (index.role,))
    picked = observation.operands[0]
    if picked.fact and len(picked.shape) != len(index.shape):
        facts |= {"shape": shape_text(picked.shape), "tensor_rank": len(picked.shape)}
        return Finding(CODE, NAME, SEVERITY, observation, "rank", facts, (index.role,))
    if (other := _longer(picked.shape, index.shape, axis)) is None:
        return None
    facts |= {"shape": shape_text(picked.shape), "other": other}
    facts |= {"have": index.shape[other], "want": picked.shape[other]}
    return Finding(CODE, NAME, SEVERITY, observation, "longer", facts, (index.role,))


def _longer(shape: tuple[int, ...], index: tuple[int, ...], axis: int) -> int | None:
    """The axis, other than the one that is picked from, on which the index is longer."""
    if len(shape) != len(index):
        return None
    others = (each for each in range(len(shape)) if each != axis % len(shape))
    return next((each for each in others if index[each] > shape[each]), None)


def _stacked(observation: Observation, index: Operand) -> Passage | None:
    """Where rows that have a batch axis of their own, of size 1, were stacked."""
    picked = observation.operands[0]
    born = picked.origin_by("stack")
    one_more = picked.shape[1:2] == (1,) and len(picked.shape) == len(index.shape) + 1
    return born.passage if born is not None and one_more else None


def _index(observation: Observation) -> Operand | None:
    found = [each for each in observation.operands if each.fact and each.role != "input"]
    whole = [each for each in found if each.fact and each.fact.dtype == "int64"]
    return whole[-1] if whole else None


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """The index with the axis, the result without it; the index cut as the tensor was."""
    if finding.variant == "stacked" and finding.origin is not None:
        return (Repair("join", edits=renamed(finding.origin, "cat")),)
    seen, axis = finding.observation, finding.facts["axis"]
    node, index = call_of(seen.passage), _index(seen)
    given = [*node.args, *(each.value for each in node.keywords)] if node else []
    named = [each for each in given if index and part_text(seen.passage, each) == index.text]
    if node is None or index is None or len(named) != 1 or seen.passage.span is None:
        return ()
    if finding.variant == "longer":
        cut = other_end(seen.operands[0], finding.facts["other"])
        edits = suffixed(index.passage, cut) if cut and index.passage else ()
        return (Repair("steps", {"index": index.text}, edits=edits),)
    if finding.variant == "rank":
        return ()
    inner = replaced(seen.passage, named[0], applied(index.text, f".unsqueeze({axis})"))
    if finding.variant == "written":
        return (Repair("write", {"index": index.text}, edits=(inner,)),)
    return (Repair("pick", edits=(_whole(finding, inner, f".squeeze({axis})"),)),)


def _whole(finding: Finding, inner: Edit, behind: str) -> Edit:
    """The whole call, with the index changed and a method behind it."""
    passage = finding.observation.passage
    assert passage.span is not None
    start = inner.span.column - passage.span.column
    end = inner.span.end_column - passage.span.column
    text = passage.text[:start] + inner.text + passage.text[end:] + behind
    return Edit(passage.place.file, passage.span, text)
