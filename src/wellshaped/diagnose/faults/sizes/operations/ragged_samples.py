"""A DataLoader could not put samples of different sizes into one batch.

**What happens.** The loop over the loader stops, in the main process or in a worker, before
the loop's body sees the batch.

**Why.** Without a `collate_fn` the loader stacks what the data set returns. Stacking needs
equal shapes, and the samples have their own lengths, image sizes or numbers of channels.

    def __getitem__(self, i):
        return torch.tensor(self.sentences[i]), self.labels[i]    # (7,), (4,), (9,) ...

**Repair.** For sequences, pad in a collate function and keep the lengths:

    def pad(samples):
        rows, labels = zip(*samples)
        lengths = torch.tensor([len(row) for row in rows])
        return pad_sequence(rows, batch_first=True), torch.tensor(labels), lengths

For images, resize or crop in `__getitem__`, and give all the same number of channels.
A batch size of 1 avoids the error and leaves training slow.

**Not a fault** when every sample has one shape.
"""

import re
from dataclasses import replace
from typing import Any, Final

from wellshaped.diagnose.edits.call_edits import suffixed
from wellshaped.diagnose.edits.collate_edits import collate_edits
from wellshaped.diagnose.fit.shapes import tensors
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation, Operand
from wellshaped.records.phrase import phrase
from wellshaped.records.repair import Repair
from wellshaped.records.shape import shape_text

CODE, NAME, PRIORITY = "WS223", "ragged-samples", 40
SEVERITY: Final = "error"

HEADLINES = {
    "length": "samples of {first} and {second} steps cannot be stacked into one batch",
    "size": "samples of shape {first_shape} and {second_shape} cannot be stacked into one batch",
    "rows": "`{label}` got rows of length {first} and {second}",
    "worker": "a worker could not stack the samples of `{dataset}` into one batch",
}
WHYS = {
    "length": "Without a `collate_fn` the loader stacks the samples of `{dataset}`, which needs "
    "equal shapes. {place} is {first_shape} in sample 0 and {second_shape} in sample {number} of "
    "this batch.",
    "size": "Without a `collate_fn` the loader stacks the samples of `{dataset}`, which needs "
    "equal shapes. {place} is {first_shape} in sample 0 and {second_shape} in sample {number} of "
    "this batch.",
    "rows": "A tensor has one size for each axis. Row 0 has length {first}, row {number} "
    "has length {second}: there is no second size.",
    "worker": "Without a `collate_fn` the loader stacks the samples of `{dataset}`, which needs "
    "equal shapes. A worker process did the stacking, so the shapes are not known here; a run "
    "with `num_workers=0` shows them.",
}
_COLOURS = (3, 4)  # channels of a picture in colour, with transparency or without
TITLES = {
    "pad": "pad in a collate function: `pad_sequence(rows, batch_first=True)`",
    "repeat": "repeat the one channel of grey samples: `.expand({sizes})`",
    "resize": "give all samples one shape where `{dataset}` makes them",
}
PHRASES = {"sample": "Each sample", "field": "`{field}`", "part": "Part {field}"}

FIRES = (
    """
from torch.utils.data import DataLoader
rows = [torch.ones(3), torch.ones(5)]
next(iter(DataLoader(rows, batch_size=2)))
""",
    """
from torch.utils.data import DataLoader
images = [torch.ones(3, 8, 8), torch.ones(1, 8, 8)]
for batch in DataLoader(images, batch_size=2): pass
""",
    """
from torch.utils.data import DataLoader
rows = [torch.ones(3), torch.ones(5)]
for batch in DataLoader(rows, batch_size=2, num_workers=1): pass
""",
    "rows = [[1, 2], [3]]\ntorch.tensor(rows)",
)
QUIET = (
    "torch.tensor([[1, 2], [3, 4]]).view(3)",
    "torch.tensordot(torch.ones(3, 4), torch.ones(5, 6), dims=1)",
    "rows = [torch.ones(3), torch.ones(5)]\ntorch.stack(rows)",
)


# `torch.tensor`, `as_tensor`, `LongTensor`; not `tensordot` or `TensorDataset`.
_MAKES = re.compile(r"(?:as_)?tensor|\w*Tensor")


def diagnose(observation: Observation) -> Finding | None:
    """Fires when two samples differ, or a worker failed where it stacks them."""
    made = observation.kind == "operation" and bool(_MAKES.fullmatch(observation.callee))
    if (observation.kind != "collate" and not made) or not observation.operands:
        return None
    samples = tensors(observation)
    first = samples[0] if samples else observation.operands[0]
    odd = next((each for each in samples if each.shape != first.shape), None)
    if odd is None and samples:
        return None
    variant, facts = "worker", _common(observation)
    if odd is not None:
        ragged = first.shape and odd.shape and first.shape[1:] == odd.shape[1:]
        sequences = "length" if ragged and len(first.shape) < 3 else "size"
        variant = "rows" if made else sequences
        facts |= {"first_shape": shape_text(first.shape), "second_shape": shape_text(odd.shape)}
        facts |= {"first": (*first.shape, 0)[0], "second": (*odd.shape, 0)[0]}
        facts |= {"number": observation.operands.index(odd)}
    return Finding(
        CODE,
        NAME,
        SEVERITY,
        replace(observation, operands=_shown(observation, first, odd)),
        variant=variant,
        facts=facts,
        blamed=(odd.role, "loader") if odd else ("loader",),
        origin=first.origins[0].passage if first.origins else None,
    )


def _shown(observation: Observation, first: Operand, odd: Operand | None) -> tuple[Operand, ...]:
    loader = observation.operand("loader")
    pair = (first, odd) if odd else observation.operands
    return (*pair, loader) if odd and loader else pair


def _common(observation: Observation) -> dict[str, Any]:
    field = observation.options.get("field")
    named = phrase("field" if isinstance(field, str) else "part", field=field)
    place = phrase("sample") if field is None else named
    dataset = observation.options.get("dataset", "")
    return {"dataset": dataset, "place": place, "label": observation.label}


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """Padding for sequences, one shape for the rest: which, only the program knows."""
    written = collate_edits(finding.observation)
    if written:
        return (Repair("pad", edits=written),)
    if repeated := _repeated(finding):
        return repeated
    if finding.variant in ("length", "rows"):
        return (Repair("pad"),)
    return (Repair("resize"),) if finding.variant == "size" else (Repair("pad"), Repair("resize"))


def _repeated(finding: Finding) -> tuple[Repair, ...]:
    """Images that differ in channels alone, some of them grey: the rest stay as they are."""
    first, odd = finding.observation.operands[:2]
    counts = sorted((*first.shape[:1], *odd.shape[:1]))
    made = first.origins[0] if first.origins else None
    grey = counts[:1] == [1] and counts[-1] in _COLOURS
    if len(first.shape) != 3 or first.shape[1:] != odd.shape[1:] or not grey or not made:
        return ()
    sizes = f"{counts[1]}, -1, -1"
    edits = suffixed(made.passage, f".expand({sizes})")
    return (Repair("repeat", {"sizes": sizes}, edits=edits),)
