"""The sizes given to `view` or `reshape` do not hold the elements the tensor has.

**What happens.** `x.view(16, 8, 6)` needs 16 x 8 x 6 elements; `x` has another number.

**Why.** `view` rearranges and never adds or drops elements. Most often a batch size was
written as a number, and the last batch of the data is smaller; or the number of features
was counted for another input size.

    rows = rows.view(32, 8, 6)        # the last batch holds 4 rows: (4, 48)
    rows = rows.view(-1, 8, 6)        # any number of rows

**Repair.** Leave the batch axis to be inferred, with -1, or read it from the tensor:
`x.size(0)`. For features, `.flatten(1)` keeps the rows apart, and the next layer must
take the number it gives. A `view` that has the right sizes and is still refused meets
memory in another order, after `transpose` or `permute`: use `reshape`.

**Not a fault** when the products agree and the tensor is contiguous.
"""

from math import prod
from typing import Final

from wellshaped.diagnose.edits.call_edits import argument_edit, call_of, renamed, replaced
from wellshaped.diagnose.edits.layer_size_edits import rebuilt_output
from wellshaped.diagnose.fit.shapes import (
    Shape,
    count_text,
    display_name,
    sizes_given,
    without_common_ends,
)
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation, Operand
from wellshaped.records.phrase import phrase
from wellshaped.records.repair import Change, Repair

CODE, NAME, PRIORITY = "WS214", "element-count", 40
SEVERITY: Final = "error"

HEADLINES = {
    "batch": "`{label}` is written for {wanted} rows, and `{operand}` holds {rows}",
    "rest": "`{label}` asks for {want} values where `{operand}` has {have}",
    "features": "`{label}` asks for rows of {want} values, and `{operand}` has rows of {have}",
    "count": "`{label}` asks for {total} elements, and `{operand}` has {elements}",
    "inferred": "`{label}` cannot divide the {elements} elements of `{operand}` by {total}",
    "strides": "`view` cannot read `{operand}` in the order its axes have now",
}
WHYS = {
    "batch": "The other sizes use {each} elements a row, and `{operand}` has {elements} in all: "
    "{rows} rows. A batch size written as a number fails at every batch of another size, such "
    "as the last one of the data.",
    "rest": "`{label}` rearranges elements and keeps their number. The axes before and after "
    "agree; between them {got_sizes} elements cannot fill {want_sizes}.",
    "features": "Each row of `{operand}` holds {have_sizes} values. Rows of {want} would have to "
    "take values from their neighbours, and {elements} elements do not even divide by {want}.",
    "count": "`{label}` rearranges elements and keeps their number: {want_sizes} against "
    "{have_sizes}.",
    "inferred": "The size given as -1 is the number of elements divided by the other sizes. "
    "{elements} divided by {total} is not a whole number.",
    "strides": "`view` never copies: it needs neighbouring axes to lie next to each other in "
    "memory. After `transpose`, `permute` or `expand` they do not, although the number of "
    "elements is right.",
}
TITLES = {
    "infer": "let the number of rows follow from the tensor",
    "infer_axis": "let the size of axis {axis} follow from the others",
    "flatten": "keep rows apart; the next layer then takes {have} values a row",
    "rebuild": "build the layer with `{setting}={value}`",
    "reshape": "use `reshape`, which copies where it must",
}

FIRES = (
    "rows = torch.randn(4, 48)\nrows.view(16, 8, 6)",
    "x = torch.randn(8, 10, 20)\nx.view(8, 10, 6, 3)",
    "maps = torch.randn(10, 16, 5, 5)\nmaps.view(-1, 256)",
    "x = torch.randn(4, 3, 5).transpose(1, 2)\nx.view(4, 15)",
    "x = torch.randn(7)\ntorch.reshape(x, (2, 3))",
)
QUIET = (
    "x = torch.randn(4, 3, 5).transpose(1, 2)\nx.reshape(4, 16) if x.numel() == 64 else x.size(9)",
    "rows = torch.randn(4, 48)\nrows.view(-1, 8, 6).sum(5)",
)


def diagnose(observation: Observation) -> Finding | None:
    """Fires when the product of the sizes is not the number of elements."""
    sizes, operand = sizes_given(observation), next(iter(observation.operands), None)
    if observation.callee not in ("view", "reshape") or sizes is None or operand is None:
        return None
    if operand.fact is None or sizes.count(-1) > 1 or min(sizes) < -1:
        return None
    variant, facts = _variant(observation, operand.shape, sizes)
    if not variant:
        return None
    elements = prod(operand.shape)
    facts |= {"label": observation.label, "operand": display_name(operand), "elements": elements}
    shown = -1 not in sizes and variant != "strides" and operand.role == "input"
    return Finding(
        CODE,
        NAME,
        SEVERITY,
        observation,
        variant=variant,
        facts=facts,
        blamed=(operand.role,),
        needs=((operand.role, phrase("elements", count=count_text(sizes))),) if shown else (),
        note=phrase("elements", count=elements) if shown else None,
    )


def _variant(observation: Observation, shape: Shape, sizes: Shape) -> tuple[str, dict[str, object]]:
    elements, known = prod(shape), prod(size for size in sizes if size != -1)
    fits = known and elements % known == 0 if -1 in sizes else elements == known
    if fits:
        return ("strides" if observation.callee == "view" and observation.raised else ""), {}
    each = prod(sizes[1:])
    if sizes[0] == -1 and -1 not in sizes[1:] and len(shape) > 1:
        have = prod(shape[1:])
        return "features", {"want": each, "have": have, "have_sizes": count_text(shape[1:])}
    if -1 in sizes:
        return "inferred", {"total": known}
    rows = elements // each if each and elements % each == 0 else 0
    # The rows may lie folded into axis 0, together with the sizes that follow.
    if shape[:1] != sizes[:1] and shape[:1] in [(rows * prod(sizes[1:k]),) for k in range(1, 4)]:
        return "batch", {"wanted": sizes[0], "rows": rows, "each": each}
    left, asked = without_common_ends(shape, sizes)
    if len(left) < len(shape) and left and asked:
        sums = {"got_sizes": count_text(left), "want_sizes": count_text(asked)}
        return "rest", {"have": prod(left), "want": prod(asked), **sums}
    return "count", {
        "total": known,
        "have_sizes": count_text(shape),
        "want_sizes": count_text(sizes),
    }


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """A size that follows from the tensor, instead of one written as a number."""
    observation = finding.observation
    operand, passage = observation.operands[0], observation.passage
    sizes = sizes_given(observation) or ()
    if finding.variant == "batch":
        changes = (Change("argument 0", "-1"),) if operand.role == "input" else ()
        return (Repair("infer", changes=changes, edits=argument_edit(passage, 0, "-1")),)
    if finding.variant == "strides":
        changes = (Change("callee", "reshape"),)
        return (Repair("reshape", changes=changes, edits=renamed(passage, "reshape")),)
    if finding.variant == "features" and (wider := _rebuilt_rows(operand, finding.facts["want"])):
        return wider
    if finding.variant == "features" and (node := call_of(passage)) is not None:
        return (Repair("flatten", edits=(replaced(passage, node, f"{operand.text}.flatten(1)"),)),)
    if finding.variant == "rest" and (wider := _rebuilt(operand, sizes)):
        return wider
    elements = prod(operand.shape)
    rests = [prod(sizes[:place] + sizes[place + 1 :]) for place in range(len(sizes))]
    fitting = [place for place, rest in enumerate(rests) if rest and elements % rest == 0]
    if -1 in sizes or len(fitting) != 1:
        return ()
    edits = argument_edit(passage, fitting[0], "-1")
    return (Repair("infer_axis", {"axis": fitting[0]}, edits=edits),)


def _rebuilt(operand: Operand, sizes: Shape) -> tuple[Repair, ...]:
    """The layer before, built for as many channels or features as the sizes ask for."""
    left, asked = without_common_ends(operand.shape, sizes)
    axis = next(
        (place for place, (a, b) in enumerate(zip(operand.shape, sizes, strict=False)) if a != b), 0
    )
    return rebuilt_output(operand, axis, prod(asked)) if len(left) == 1 and axis else ()


def _rebuilt_rows(operand: Operand, value: int) -> tuple[Repair, ...]:
    """The layer right before, built for as many outputs as the sizes of a row ask for."""
    nearest = operand.origins[0] if operand.origins and len(operand.shape) == 2 else None
    sized = nearest is not None and nearest.options.get("out_features") == operand.shape[-1]
    return rebuilt_output(operand, 1, value) if sized else ()
