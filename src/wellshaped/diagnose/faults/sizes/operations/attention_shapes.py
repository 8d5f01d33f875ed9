"""Attention got queries, keys or a mask that do not fit together.

**What happens.** `MultiheadAttention` takes `(T, B, E)`, or `(B, T, E)` with
`batch_first=True`. `key_padding_mask` is `(B, S)` in both cases, `attn_mask` is `(L, S)` or
`(B * heads, L, S)`. One of the tensors has another shape.

**Why.** A padding mask made from time-first tokens is `(S, B)`. A causal mask made from
`x.size(1)` counts the batch where time comes first. A mask per sequence lacks the heads.

    pad = tokens.eq(0)                                   # (200, 6), as the tokens are
    attention(x, x, x, key_padding_mask=pad)             # takes (6, 200)

**Repair.** Turn the padding mask, `pad.t()`; make the causal mask from the time axis; say
`batch_first=True` where the tensors are so.

**Not a fault** when the masks follow the tensors as the layer reads them.
"""

from typing import Final

from wellshaped.diagnose.fit.attention import attention_counts, attention_of, same_time
from wellshaped.diagnose.fit.layers import (
    born_at,
    built_at,
    changed,
    facts_of,
    rebuilt,
    unproven,
    with_last_argument,
)
from wellshaped.diagnose.fit.masks import measured_along, measured_on
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation
from wellshaped.records.repair import Edit, Repair
from wellshaped.records.shape import shape_text

CODE, NAME, PRIORITY = "WS219", "attention-shapes", 30
SEVERITY: Final = "error"

_MASK = "{name} got `{role}` {got} and takes {wants}"
HEADLINES = {
    "heads": "{name} cannot split {embed_dim} features into {num_heads} heads",
    "width": "{name} takes {width} features and got {last} in `{role}`",
    "pairs": "{name} got keys and values of different length",
    "batch": "{name} got `{role}` for {others} rows with a batch of {rows}",
    "stacks": "{name} got queries and keys with different axes before the last two",
    "turned": "{name} got its padding mask with batch and time swapped",
    "time_first": "{name} got its padding mask with batch and time swapped",
    "padding": _MASK,
    "per_head": "{name} got one mask for each sequence, and takes one for each head",
    "as_padding": "{name} got a padding mask in place of an attention mask",
    "of_batch": "{name} got an attention mask made from the batch size",
    "keys": "{name} got a padding mask without axes for heads and queries",
    "over_heads": "{name} got one mask for each sequence, without an axis for the heads",
    "mask": _MASK,
}
WHYS = {
    "heads": "Each head works on an equal part of the features. {embed_dim} is no multiple of "
    "{num_heads}.",
    "width": "The features are on the last axis, and the weights of the projection were made "
    "for {width}.",
    "pairs": "Each key has one value: both have the same number of positions.",
    "batch": "Each row of the batch attends to the keys of the same row. The batch is the "
    "axis that `batch_first` names: the first if it is set, else the second.",
    "stacks": "Queries and keys meet row by row and head by head: the axes before the last two "
    "are the same in both.",
    "turned": "The mask has one row for each sequence and one column for each key, {wants}. "
    "This one has them the other way round.",
    "time_first": "The layer reads the time first, so the batch has {rows} rows. The mask is "
    "{wants} all the same: one row for each sequence and one column for each key.",
    "padding": "The mask has one row for each sequence and one column for each key.",
    "per_head": "A mask with three axes has one slice for each head of each sequence, "
    "{wants}. This one has one slice for each sequence.",
    "as_padding": "An attention mask says which query sees which key, {wants}. One row for "
    "each sequence and one column for each key is what `key_padding_mask` takes.",
    "of_batch": "An attention mask says which position sees which. The sequences have "
    "{positions} positions and the batch has {rows} rows: the size was read from the wrong axis.",
    "keys": "Sizes are paired from the right, over {wants}. One row for each sequence is then "
    "paired with the queries.",
    "over_heads": "Sizes are paired from the right, over {wants}. One slice for each sequence "
    "is then paired with the heads.",
    "mask": "An attention mask has one row for each query and one column for each key.",
}
TITLES = {
    "divide": "take {below} or {above} features, or a number of heads that divides {embed_dim}",
    "turn": "turn `{operand}`",
    "first": "or, if the batch comes first in the tensors: `batch_first=True`",
    "repeat": "repeat each mask for every head",
    "rename": "give it as `key_padding_mask`",
    "rebuild": "build the layer with `{setting}={value}`",
    "measure": "make the mask from the time axis, {positions} positions",
    "spread": "give `{operand}` the axes it lacks",
}

FIRES = (
    "attention = nn.MultiheadAttention(8, 2, batch_first=True)\nx = torch.randn(4, 7, 8)\n"
    "pad = torch.zeros(7, 4, dtype=torch.bool)\nattention(x, x, x, key_padding_mask=pad)",
    "attention = nn.MultiheadAttention(8, 2)\nx = torch.randn(7, 4, 8)\n"
    "pad = torch.zeros(7, 4, dtype=torch.bool)\nattention(x, x, x, key_padding_mask=pad)",
    "nn.MultiheadAttention(10, 4)",
    "x = torch.randn(4, 7, 8)\nnn.MultiheadAttention(12, 2)(x, x, x)",
    "attention = nn.MultiheadAttention(8, 2, batch_first=True)\nx = torch.randn(4, 7, 8)\n"
    "mask = torch.zeros(4, 7, 7)\nattention(x, x, x, attn_mask=mask)",
    "layer = nn.TransformerEncoderLayer(8, 2)\nx, m = torch.randn(7, 4, 8), torch.zeros(4, 4)\n"
    "layer(x, src_mask=m)",
    "q, m = torch.randn(4, 2, 7, 8), torch.ones(4, 7, dtype=torch.bool)\n"
    "F.scaled_dot_product_attention(q, q, q, attn_mask=m)",
    "a, b = torch.randn(4, 7, 8), torch.randn(5, 6, 8)\nnn.Transformer(8, 2, 1, 1)(a, b)",
)
QUIET = (
    "x = torch.randn(4, 7, 8)\nnn.MultiheadAttention(8, 2)(x, x, x)",
    "x = torch.randn(4, 7, 8)\nnn.MultiheadAttention(8, 2)(x, x, x.double())",
)


def diagnose(observation: Observation) -> Finding | None:
    """Fires when a width, a batch or a mask is not what the others make it."""
    if (found := attention_of(observation)) is None:
        return None
    seen, misfit = found
    variant, own = misfit.variant, seen.operand(misfit.role)
    got, wants = own.shape if own else (), misfit.wants
    facts = facts_of(seen, role=misfit.role, got=shape_text(got), wants=shape_text(wants))
    facts |= {"width": wants[-1] if wants else 0, "last": got[-1] if got else 0}
    facts |= attention_counts(seen, got) | dict(seen.options)
    needs = ((misfit.role, shape_text(wants)),) if wants else ()
    origin = born_at(own, "triu", "tril", "ones", "zeros", "eq") if "mask" in misfit.role else None
    if variant == "width" and observation.kind == "module":
        origin = built_at(seen)
    blamed = ("embed_dim", "num_heads") if variant == "heads" else (misfit.role,)
    return Finding(CODE, NAME, SEVERITY, seen, variant, facts, blamed, needs, origin=origin)


def repairs(finding: Finding) -> tuple[Repair, ...]:
    """Turn, spread or repeat the mask; else say from what it is made."""
    if (found := attention_of(finding.observation)) is None:
        return ()
    seen, misfit = found
    flagged = Repair("first", edits=with_last_argument(built_at(seen), "batch_first=True"))
    if misfit.code:
        titles = {"turned": "turn", "time_first": "turn", "per_head": "repeat"}
        fixed = changed(seen, misfit.role, misfit.code, titles.get(misfit.variant, "spread"))
        if misfit.variant != "time_first":
            return (fixed,)
        return unproven(seen, fixed), flagged
    if misfit.variant == "batch" and same_time(seen, misfit.role):
        return (flagged,)
    if misfit.variant == "width" and finding.facts["last"] % finding.facts["heads"] == 0:
        return rebuilt(seen, "embed_dim", finding.facts["last"]) if misfit.role == "query" else ()
    if measured := _measured(seen, misfit.variant):
        return (Repair("measure", edits=measured),)
    named = {"heads": "divide", "as_padding": "rename", "of_batch": "measure"}
    return (Repair(named[misfit.variant]),) if misfit.variant in named else ()


def _measured(seen: Observation, variant: str) -> tuple[Edit, ...]:
    """The mask made for the length of the queries, where its size is measured."""
    mask, query = seen.operand("attn_mask"), seen.operand("query")
    if mask is None or query is None or variant not in ("mask", "of_batch"):
        return ()
    return measured_along(mask) if variant == "of_batch" else measured_on(mask, query)
