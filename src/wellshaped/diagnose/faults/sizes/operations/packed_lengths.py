"""`pack_padded_sequence` got lengths that do not belong to its batch.

**What happens.** There is one length for each sequence of the batch: a vector `(B,)` for
`(B, T, *)` with `batch_first=True`, or for `(T, B, *)` without. Here the number of lengths is
another one, or packing took the time axis for the batch.

**Why.** `batch_first` is left out for a tensor that has the batch first, as `pad_sequence`
and data loaders give it. Or the lengths are those of the whole data set.

    padded = pad_sequence(words, batch_first=True)      # (5, 9, 8)
    pack_padded_sequence(padded, lengths)               # reads 9 sequences

**Repair.** Say `batch_first=True` here as everywhere else; cut the lengths as the batch is
cut. The `batch_first` of the recurrent layer has no influence on packing.

**Not a fault** when there are as many lengths as sequences. Their order is another matter:
unsorted lengths need `enforce_sorted=False`.
"""

from typing import Final

from wellshaped.diagnose.fit.layers import changed, facts_of, named_operands, with_last_argument
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation, Origin
from wellshaped.records.repair import Repair

CODE, NAME, PRIORITY = "WS217", "packed-lengths", 30
SEVERITY: Final = "error"

HEADLINES = {
    "count": "{name} got {count} lengths for {batch} sequences",
    "time": "{name} took the time axis for the batch",
    "column": "{name} got lengths with {rank} axes, not as a vector",
    "order": "{name} got lengths that do not fall",
    "packed": "{name} got sequences that were packed along the wrong axis",
}
WHYS = {
    "count": "There is one length for each sequence, and the sequences are counted on axis "
    "{axis} of `{input}`: {batch}. The lengths are {count}, as those of another batch or of "
    "the whole data set.",
    "time": "Sequences are counted on axis {axis} of `{input}`, which has size {batch}. The "
    "{count} lengths belong to axis {other}, so batch and time stand the other way round.",
    "column": "Lengths are counted along one axis. The tensor `{lengths}` has {rank}.",
    "order": "Packing takes the longest sequence first, unless it is told to sort: of the {count} "
    "lengths in `{lengths}` one is larger than the one before it.",
    "packed": "Without `batch_first=True`, packing takes axis 0 for the time. It cut the "
    "wrong axis, and the packed data has {held} rows where its lengths make {rows}.",
}
TITLES = {
    "slice": "take the lengths of these {batch} sequences alone",
    "flag": "say that the batch comes first: `batch_first=True`",
    "swap": "put the time of `{operand}` on axis {other}, as `batch_first=True` says",
    "flat": "make the lengths a vector",
    "sort": "let it sort: `enforce_sorted=False`",
}

FIRES = (
    "from torch.nn.utils.rnn import pack_padded_sequence\nx = torch.randn(4, 7, 8)\n"
    "lengths = [7, 5, 3, 2, 2]\npack_padded_sequence(x, lengths, batch_first=True)",
    "from torch.nn.utils.rnn import pack_padded_sequence\nx = torch.randn(4, 7, 8)\n"
    "lengths = torch.tensor([7, 5, 3, 2])\npack_padded_sequence(x, lengths)",
    "from torch.nn.utils.rnn import pack_padded_sequence\nx = torch.randn(4, 7, 8)\n"
    "lengths = torch.tensor([[7], [5], [3], [2]])\n"
    "pack_padded_sequence(x, lengths, batch_first=True)",
    "from torch.nn.utils.rnn import pack_padded_sequence\nrnn = nn.GRU(8, 5, batch_first=True)\n"
    "x, lengths = torch.randn(3, 7, 8), torch.tensor([7, 5, 4])\n"
    "packed = pack_padded_sequence(x, lengths, enforce_sorted=False)\nrnn(packed)",
    "from torch.nn.utils.rnn import pack_padded_sequence\nx = torch.randn(4, 7, 8)\n"
    "lengths = torch.tensor([2, 5, 3, 7])\npack_padded_sequence(x, lengths, batch_first=True)",
)
QUIET = (
    "from torch.nn.utils.rnn import pack_padded_sequence\n"
    "pack_padded_sequence(torch.randn(7, 4, 8), [7, 5, 3, 2])",
    "from torch.nn.utils.rnn import pack_padded_sequence\n"
    "pack_padded_sequence(torch.randn(7, 4, 8), [2, 5, 3, 7], enforce_sorted=False)",
)


def diagnose(observation: Observation) -> Finding | None:
    """Fires when lengths and batch differ in number, or packed data and its lengths do."""
    if observation.kind == "module":
        return _packed(observation)
    if observation.kind != "operation" or observation.callee != "pack_padded_sequence":
        return None
    seen = named_operands(observation)
    given, lengths = seen.operand("input"), seen.operand("lengths")
    if not given or not lengths or len(given.shape) < 2 or lengths.fact is None:
        return None
    axis = 0 if seen.options.get("batch_first") else 1
    count, batch = lengths.shape[0] if lengths.shape else 0, given.shape[axis]
    sorted_only = seen.options.get("enforce_sorted") is True and observation.raised
    if len(lengths.shape) == 1 and count == batch:
        falling = "falling" in lengths.traits or not lengths.traits
        if falling or not sorted_only:
            return None
        facts = facts_of(seen, count=count)
        return Finding(CODE, NAME, SEVERITY, seen, "order", facts, ("lengths",))
    variant = "count" if len(lengths.shape) == 1 else "column"
    variant = "time" if variant == "count" and count == given.shape[1 - axis] else variant
    facts = facts_of(seen, axis=axis, other=1 - axis, count=count, batch=batch)
    facts["rank"] = len(lengths.shape)
    needs = (("input", "(B, T, *)" if axis == 0 else "(T, B, *)"), ("lengths", "(B,)"))
    here = lengths.origins or not seen.callers or not seen.passage.place.function
    origin = None if here or variant != "count" else seen.callers[0]
    blamed = ("input",) if variant == "time" else ("lengths",)
    return Finding(CODE, NAME, SEVERITY, seen, variant, facts, blamed, needs, origin=origin)


def _packed(observation: Observation) -> Finding | None:
    rows, data = observation.options.get("packed.rows"), observation.operand("input[0]")
    birth = _packing(observation)
    if rows is None or data is None or birth is None or data.shape[0] == rows:
        return None
    facts = facts_of(observation, rows=rows, held=data.shape[0])
    return Finding(
        CODE, NAME, SEVERITY, observation, "packed", facts, ("input",), origin=birth.passage
    )  # fmt: skip


def _packing(observation: Observation) -> Origin | None:
    packed = observation.operand("input")
    return packed.origin_by("pack_padded_sequence") if packed else None


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """Say which axis is the batch; else say which lengths are meant."""
    seen = finding.observation
    if finding.variant == "packed":
        birth = _packing(seen)
        open_call = birth is not None and "batch_first" not in birth.options
        flag = with_last_argument(birth.passage, "batch_first=True") if birth and open_call else ()
        return (Repair("flag", edits=flag),)
    if finding.variant == "time":
        if seen.options.get("batch_first"):
            return (changed(seen, "input", ".transpose(0, 1)", "swap"),)
        written = "batch_first" in seen.passage.text
        flag = () if written else with_last_argument(seen.passage, "batch_first=True")
        return (Repair("flag", edits=flag),)
    if finding.variant == "column":
        return (changed(seen, "lengths", ".flatten()", "flat"),)
    if finding.variant == "order":
        written = "enforce_sorted" in seen.passage.text
        flag = () if written else with_last_argument(seen.passage, "enforce_sorted=False")
        return (Repair("sort", edits=flag),)
    return (Repair("slice"),)
