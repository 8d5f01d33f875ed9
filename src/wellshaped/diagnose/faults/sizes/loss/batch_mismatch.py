"""Predictions and targets have different numbers of rows.

**What happens.** The first axis of the input has another size than the first axis of the
target, and no flattening explains it.

**Why.** Three mechanisms are common. A `view(-1, K)` with a K that is not the number of
features folds several rows into one, or cuts one into several. Sequences whose lengths
differ by one are flattened, so that B * (T - 1) rows meet B * T targets. Or the two come
from different batches: a whole set against a batch, a target or lengths made for a full batch
against the last, partial one.

    x = x.view(-1, 16 * 64 * 64)                # features are 16 * 32 * 32
    loss = criterion(self.fc(x), y)             # (2, 4) against (8,)

    ones = torch.ones(batch_size, 1)            # the last batch has fewer rows

**Repair.** Keep the batch axis by name, `x.flatten(1)`, and let a wrong feature count fail
where it is made; cut both sequences to the same steps, `[:, :-1]` and `[:, 1:]`; take the
number of rows from the batch at hand, `torch.ones(images.size(0), 1)`.

**Not a fault** when the rows agree.
"""

import re
from dataclasses import replace
from math import gcd
from typing import Final

from wellshaped.diagnose.edits.call_edits import call_of, per_row, replaced, selection, suffixed
from wellshaped.diagnose.edits.row_count_edits import (
    Recount,
    counted_finding,
    counted_repairs,
    recounted,
)
from wellshaped.diagnose.fit.loss import fits, leading_sizes, names_of, needs_of, only_mend, refused
from wellshaped.diagnose.fit.sequences import cut_before_flattening, other_end
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation, Origin
from wellshaped.records.phrase import Phrase, phrase
from wellshaped.records.repair import Change, Repair

CODE, NAME, PRIORITY = "WS201", "batch-mismatch", 40
SEVERITY: Final = "error"

HEADLINES = {
    "counted": "`{made}` is made for {count} rows, and `{beside}` has {rows}",
    "folded": "`{label}` got {first} rows of predictions for {second} targets",
    "steps": "`{label}` got {first} rows of predictions for {second} targets",
    "plain": "`{label}` got {first} rows of predictions for {second} targets",
}
WHYS = {
    "counted": "The number of rows is fixed where the tensor is made, and `{label}` pairs it with "
    "the batch at hand. Batches have other numbers of rows: the last one of an epoch, and those "
    "of another batch size.",
    "folded": "`{operation}` fills rows of a fixed length whatever belongs together, and its -1 "
    "takes the number of rows that comes out: {ratio}. The length it names is not the number "
    "of features of one row.",
    "steps": "Per sequence there are {first_steps} predictions and {second_steps} targets "
    "({batch} sequences). One side has a step that the other does not: a start or end token, "
    "or a prediction for a step that has no target.",
    "plain": "The first axis of `{input}` has size {first}, that of `{target}` has {second}. "
    "Every row of predictions needs the target of the same row.",
}
TITLES = {
    "counted": "make as many rows as `{beside}` has",
    "ahead": "use as many of its rows as `{beside}` has",
    "rows": "keep the batch axis: flatten the rest",
    "turn": "swap the axes of `{target}`",
    "steps": "cut `{operand}` to the steps of the other side",
    "numbered": "number the rows of `{operand}`",
    "select": "select the rows of `{operand}` as those of the other side: `[{index}]`",
}
PHRASES = {"fewer": "{count} rows become one", "more": "one row becomes {count}"}

FIRES = (
    """
features, labels = torch.randn(8, 4, 4, 4), torch.zeros(8, dtype=torch.long)
logits = nn.Linear(256, 3)(features.view(-1, 256))
F.cross_entropy(logits, labels)
""",
    """
logits, words = torch.randn(6, 4, 9), torch.zeros(6, 5, dtype=torch.long)
F.cross_entropy(logits.reshape(-1, 9), words.reshape(-1))
""",
    """
logits, labels = torch.randn(8, 3), torch.zeros(7, dtype=torch.long)
F.cross_entropy(logits, labels)
""",
    """
score, batch_size = nn.Linear(3, 1), 8
for rows in (torch.randn(8, 3), torch.randn(5, 3)):
    ones = torch.ones(batch_size, 1)
    F.binary_cross_entropy_with_logits(score(rows), ones)
""",
    """
logits, labels = torch.randn(8, 3), torch.zeros(8, dtype=torch.long)
known = torch.arange(8) > 2
F.cross_entropy(logits[known], labels)
""",
)
QUIET = (
    """
logits, labels = torch.randn(8, 3), torch.zeros(8, dtype=torch.long)
F.cross_entropy(logits, labels)
""",
    """
logits, labels = torch.randn(28, 3), torch.zeros(4, 7, dtype=torch.long)
F.cross_entropy(logits, labels)
""",
)


def diagnose(observation: Observation) -> Finding | None:
    """Fires when the leading sizes differ and no reading makes them meet."""
    if found := _recounted(observation):
        needs = needs_of(observation)
        return replace(counted_finding(CODE, NAME, observation, found[0]), needs=needs)
    rows = leading_sizes(observation)
    if refused(observation) is None or len(set(rows)) < 2 or not observation.operand("target"):
        return None
    if only_mend(observation) is not None:
        return None
    first, second = rows[0], next(size for size in rows if size != rows[0])
    folded = _folded(observation, first, second)
    batch = gcd(first, second)
    flat = any(each.origin_by("view", "reshape", "flatten") for each in observation.operands)
    steps = folded is None and flat and 1 < batch < min(first, second)
    steps = steps and abs(first - second) == batch
    operation = folded.passage.text if folded else ""
    return Finding(
        CODE,
        NAME,
        SEVERITY,
        observation,
        variant="folded" if folded else "steps" if steps else "plain",
        facts={
            **names_of(observation),
            "first": first,
            "second": second,
            "batch": batch,
            "first_steps": first // batch if batch else 0,
            "second_steps": second // batch if batch else 0,
            "operation": operation if len(operation) < 40 else f"{operation[:36]} ...",
            "ratio": _ratio(first, second),
        },
        blamed=("input" if folded else "target",),
        needs=needs_of(observation),
        origin=folded.passage if folded else None,
    )


def _recounted(observation: Observation) -> tuple[Recount, ...]:
    """The fixed numbers of rows with which the call would fit, were they those of the batch."""
    if refused(observation) is None:
        return ()
    return recounted(observation, lambda shapes: fits(observation, shapes))


def _folded(observation: Observation, first: int, second: int) -> Origin | None:
    """The `view(-1, K)` that made rows of the wrong length, if there is one."""
    birth = observation.operands[0].origin_by("view", "reshape")
    whole = first and second and (second % first == 0 or first % second == 0)
    if birth is None or not whole or not birth.arguments or birth.arguments[0] != -1:
        return None
    return birth


def _ratio(first: int, second: int) -> Phrase | str:
    if first and second % first == 0:
        return phrase("fewer", count=second // first)
    whole = second and first % second == 0
    return phrase("more", count=first // second) if whole else ""


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """Rows flattened by themselves, axes swapped, sequences cut, rows selected alike.

    Which step of the longer sequence goes is told by the one that the shorter has lost, if any.
    """
    seen = finding.observation
    first, target = seen.operands[0], seen.operand("target")
    if finding.variant == "counted":
        return counted_repairs(_recounted(seen))
    if finding.variant == "folded":
        return (Repair("rows", edits=per_row(first.origin_by("view", "reshape"))),)
    if finding.variant == "plain" and target and target.shape == first.shape[::-1]:
        turned = len(first.shape) == 2
        return (Repair("turn", {}, (Change("target", ".t()"),)),) if turned else ()
    if finding.variant == "plain":
        return (*_numbered(seen), *_selected(seen))
    if finding.variant != "steps":
        return ()
    longer = int(finding.facts["first_steps"]) > int(finding.facts["second_steps"])
    assert target is not None
    long, short = (first, target) if longer else (target, first)
    # Where nothing tells: the first target has no prediction before it, the last no target behind.
    end = other_end(short, 1) or ("[:, :-1]" if longer else "[:, 1:]")
    cut = cut_before_flattening(long, end)
    return (Repair("steps", {"operand": long.text}, edits=(cut,) if cut else ()),)


def _numbered(seen: Observation) -> tuple[Repair, ...]:
    """Where each row is to be told from all others: as many numbers as there are rows."""
    first, target = seen.operands[0], seen.operand("target")
    birth = target.origins[0] if target and target.origins else None
    node = call_of(birth.passage) if birth and birth.operation == "arange" else None
    square = len(first.shape) == 2 and first.shape[0] == first.shape[1]
    if birth is None or node is None or not square or len(node.args) != 1:
        return ()
    if not re.fullmatch(r"\w+", first.text) or first.passage is None:
        return ()
    if first.passage.place.function != birth.passage.place.function:
        return ()
    edit = replaced(birth.passage, node.args[0], f"{first.text}.size(0)")
    return (Repair("numbered", {"operand": first.text}, edits=(edit,)),)


def _selected(seen: Observation) -> tuple[Repair, ...]:
    """The longer side with the index that picked the rows of the shorter one."""
    target = seen.operand("target")
    assert target is not None
    few, many = sorted((seen.operands[0], target), key=lambda each: each.shape[0])
    index = selection(few)
    if not index or selection(many) or many.passage is None:
        return ()
    facts = {"operand": many.text, "index": index}
    return (Repair("select", facts, edits=suffixed(many.passage, f"[{index}]")),)
