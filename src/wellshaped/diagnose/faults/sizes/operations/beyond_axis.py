"""A class number or a row number is larger than the axis it counts.

**What happens.** `cross_entropy` says that a target is out of bounds, an embedding that an index
is out of range. The shapes agree.

**Why.** Class numbers run from 0 to C - 1. Labels that count from 1 reach C, and a layer built
for the classes of another set is too narrow. A table of words needs a row for the padding
and for unknown words, too.

    stars = torch.tensor([1, 5, 3])                  # 1 ... 5
    F.cross_entropy(nn.Linear(8, 5)(x), stars)       # 0 ... 4

    words = {word: i + 1 for i, word in enumerate(text)}     # 0 is the padding
    nn.Embedding(len(words), 16)                             # one row short

**Repair.** Count from 0, `stars - 1`; else build the layer for the largest number, plus one.

**Not a fault** when every number is below the size, or is the `ignore_index`.
"""

from typing import Final

from wellshaped.contracts.questions import losses
from wellshaped.diagnose.edits.call_edits import applied, call_of, replaced
from wellshaped.diagnose.edits.layer_size_edits import rebuilt_output
from wellshaped.diagnose.fit.layers import built_at, facts_of, layer_of, rebuilt
from wellshaped.diagnose.fit.loss import names_of, needs_of, verdict_of
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation
from wellshaped.records.repair import Edit, Repair

CODE, NAME, PRIORITY = "WS225", "beyond-axis", 60
SEVERITY: Final = "error"

HEADLINES = {
    "classes": "`{label}` got class number {largest} for {count} classes",
    "shifted": "`{label}` got class numbers that count from 1",
    "lengths": "`{label}` got a length of {largest} for {count} steps of scores",
    "rows": "{name} got row number {largest} for a table of {count} rows",
}
WHYS = {
    "classes": "The {count} scores of a row stand for the classes 0 to {last}. `{target}` holds "
    "{largest}.",
    "shifted": "The {count} scores of a row stand for the classes 0 to {last}. `{target}` holds "
    "the numbers {least} to {largest}: as many classes, counted from 1.",
    "lengths": "`{log_probs}` is {log_probs_shape}: a sequence has at most {count} steps. Layers "
    "with a stride, and pooling, leave fewer steps than went in; `{lengths}` must follow.",
    "rows": "The table has the rows 0 to {last}, and `{input}` asks for row {largest}.",
}
TITLES = {
    "steps": "count the steps of `{log_probs}`",
    "lengths": "divide `{lengths}` as the layers divide the steps",
    "shift": "count the classes of `{target}` from 0",
    "rebuild": "build the layer with `{setting}={value}`",
}

FIRES = (
    "logits, labels = torch.randn(3, 3), torch.tensor([1, 3, 2])\nF.cross_entropy(logits, labels)",
    "logits, labels = torch.randn(3, 3), torch.tensor([0, 5, 2])\nF.cross_entropy(logits, labels)",
    "scores, words = torch.randn(10, 2, 5).log_softmax(2), torch.ones(2, 3, dtype=torch.long)\n"
    "frames, counts = torch.tensor([20, 16]), torch.tensor([3, 3])\n"
    "F.ctc_loss(scores, words, frames, counts)",
    "table = nn.Embedding(8, 2)\nids = torch.tensor([1, 8])\ntable(ids)",
)
QUIET = (
    "F.cross_entropy(torch.randn(2, 3), torch.tensor([1, -100]))",
    "nn.Embedding(8, 2)(torch.tensor([1.0, 8.0]))",
)

# Their target counts along an axis of the input.
_CLASSES = losses(target="classes") - losses(takes="features")


def diagnose(observation: Observation) -> Finding | None:
    """Fires where a number that counts along an axis is not below its size."""
    if not observation.raised:
        return None
    return _of_loss(observation) or _of_lengths(observation) or _of_table(observation)


def _of_loss(observation: Observation) -> Finding | None:
    target = observation.operand("target")
    verdict = verdict_of(observation)
    if observation.callee not in _CLASSES or target is None or target.bounds is None:
        return None
    if verdict is None or not verdict.accepted:
        return None
    scores = observation.operands[0]
    count = scores.shape[1 if len(scores.shape) > 1 else 0]
    least, largest = target.bounds
    if largest < count or largest == observation.options.get("ignore_index"):
        return None
    sizes = {"count": count, "last": count - 1, "least": least, "largest": largest}
    return Finding(
        CODE,
        NAME,
        SEVERITY,
        observation,
        "shifted" if least == 1 and largest == count else "classes",
        {**names_of(observation), **sizes},
        ("target",),
        needs_of(observation),
    )


def _of_lengths(observation: Observation) -> Finding | None:
    lengths, scores = observation.operand("input_lengths"), observation.operand("log_probs")
    if observation.callee != "ctc_loss" or lengths is None or scores is None:
        return None
    count, bounds = scores.shape[0] if scores.shape else 0, lengths.bounds
    if bounds is None or bounds[1] <= count:
        return None
    facts = {**names_of(observation), "count": count, "largest": bounds[1]}
    facts |= {"lengths": lengths.text}
    needs = needs_of(observation)
    return Finding(CODE, NAME, SEVERITY, observation, "lengths", facts, (lengths.role,), needs)


def _of_table(observation: Observation) -> Finding | None:
    layer = layer_of(observation)
    if layer is None or layer.family != "Embedding" or layer.input is None:
        return None
    count, bounds = layer.size("num_embeddings"), layer.input.bounds
    if count is None or bounds is None or bounds[1] < count:
        return None
    seen = layer.observation
    facts = facts_of(seen, count=count, last=count - 1, largest=bounds[1])
    return Finding(CODE, NAME, SEVERITY, seen, "rows", facts, ("input",), origin=built_at(seen))


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """Count from 0; else a layer for the largest number."""
    seen, value = finding.observation, finding.facts["largest"] + 1
    if finding.variant == "lengths":
        return _shortened(seen, finding.facts["largest"], finding.facts["count"])
    if finding.variant == "rows":
        return rebuilt(seen, "num_embeddings", value)
    scores, target = seen.operands[0], seen.operand("target")
    wider = rebuilt_output(scores, 1, value) if len(scores.shape) > 1 else ()
    passage = target.passage if target else None
    if finding.variant != "shifted" or passage is None or passage.span is None:
        return wider
    edit = Edit(passage.place.file, passage.span, f"{passage.text} - 1")
    return (Repair("shift", edits=(edit,)), *wider)


def _shortened(seen: Observation, largest: int, count: int) -> tuple[Repair, ...]:
    """The lengths of sequences that lose steps on the way: counted anew, or divided alike."""
    lengths, scores = seen.operand("input_lengths"), seen.operand("log_probs")
    if lengths is None or scores is None or lengths.passage is None or lengths.passage.span is None:
        return (Repair("lengths"),)
    birth = lengths.origins[0] if lengths.origins else None
    node = call_of(birth.passage) if birth and birth.operation == "full" else None
    if birth is not None and node is not None and len(node.args) > 1:
        edit = replaced(birth.passage, node.args[1], applied(scores.text, ".size(0)"))
        return (Repair("steps", edits=(edit,)),)
    times = max(2, round(largest / count))
    strides = [each.options.get("stride", 1) for each in scores.origins]
    strided = any(each not in (1, (1,), (1, 1)) for each in strides)
    if strided and -(-largest // times) == count:  # a padded convolution starts with the first step
        text = f"({lengths.text} + {times - 1}) // {times}"
    elif largest // times == count:
        text = f"{applied(lengths.text, '')} // {times}"
    else:
        return (Repair("lengths"),)
    edit = Edit(lengths.passage.place.file, lengths.passage.span, text)
    return (Repair("lengths", edits=(edit,)),)
