"""The shapes attention takes: queries, keys and values, and the masks over them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from wellshaped.diagnose.fit.layers import named_operands
from wellshaped.records.observation import Observation


@dataclass(frozen=True, slots=True)
class Misfit:
    """One operand that does not fit: its role, the shape it should have, and what is wrong."""

    variant: str
    role: str
    wants: tuple[int, ...] = ()
    code: str = ""


@dataclass(frozen=True, slots=True)
class Sizes:
    """What the tensors say of the batch, the queries and the keys."""

    batch: int
    queries: int
    keys: int
    heads: int


def attention_of(observation: Observation) -> tuple[Observation, Misfit] | None:
    """The first thing about a call of attention that does not fit."""
    judges: dict[str, Any] = {
        "MultiheadAttention": _multihead,
        "scaled_dot_product_attention": _dot_product,
        "Transformer": _transformer,
        "TransformerEncoder": _encoder,
        "TransformerEncoderLayer": _encoder,
    }
    judge = judges.get(observation.callee)
    if judge is None or observation.kind not in ("module", "operation"):
        return None
    seen = named_operands(observation) if observation.kind == "operation" else observation
    found = next(judge(seen), None)
    return (seen, found) if found else None


def _shape(observation: Observation, role: str) -> tuple[int, ...]:
    found = observation.operand(role)
    return found.shape if found else ()


def attention_sizes(observation: Observation) -> Sizes | None:
    """Batch, queries and keys of a batched multi-head call."""
    query, key = _shape(observation, "query"), _shape(observation, "key")
    if len(query) != 3 or len(key) != 3:
        return None
    batch = 0 if observation.options.get("batch_first") else 1
    heads = observation.options.get("num_heads", 1)
    return Sizes(query[batch], query[1 - batch], key[1 - batch], heads)


def _multihead(seen: Observation) -> Iterator[Misfit]:
    options = seen.options
    if options.get("constructing"):
        heads = options.get("num_heads") or 1
        if options.get("embed_dim", 0) % heads:
            yield Misfit("heads", "embed_dim")
        return
    for role, setting in (("query", "embed_dim"), ("key", "kdim"), ("value", "vdim")):
        shape, width = _shape(seen, role), options.get(setting)
        if shape and width and shape[-1] != width:
            yield Misfit("width", role, (*shape[:-1], width))
    sizes = attention_sizes(seen)
    if sizes is None:
        return
    key, value = _shape(seen, "key"), _shape(seen, "value")
    if key[:2] != value[:2]:
        yield Misfit("pairs", "value", (*key[:2], value[-1]))
    if key[0 if options.get("batch_first") else 1] != sizes.batch:
        axes = (
            (sizes.batch, sizes.keys) if options.get("batch_first") else (sizes.keys, sizes.batch)
        )
        yield Misfit("batch", "key", (*axes, key[-1]))
    yield from _padding(_shape(seen, "key_padding_mask"), sizes, "key_padding_mask", options)
    yield from _mask(_shape(seen, "attn_mask"), sizes)


def _padding(mask: tuple[int, ...], sizes: Sizes, role: str, options: Any) -> Iterator[Misfit]:
    wants = (sizes.batch, sizes.keys)
    if not mask or mask == wants:
        return
    if mask == wants[::-1]:
        first = options.get("batch_first", True)
        yield Misfit("turned" if first else "time_first", role, wants, ".t()")
    else:
        yield Misfit("padding", role, wants)


def _mask(mask: tuple[int, ...], sizes: Sizes) -> Iterator[Misfit]:
    plain = (sizes.queries, sizes.keys)
    stacked = (sizes.batch * sizes.heads, *plain)
    if not mask or mask in (plain, stacked):
        return
    if mask == (sizes.batch, *plain):
        yield Misfit("per_head", "attn_mask", stacked, f".repeat_interleave({sizes.heads}, 0)")
    elif mask == (sizes.batch, sizes.keys):
        yield Misfit("as_padding", "attn_mask", plain)
    elif mask == (sizes.batch, sizes.batch):
        yield Misfit("of_batch", "attn_mask", plain)
    else:
        yield Misfit("mask", "attn_mask", plain)


def _dot_product(seen: Observation) -> Iterator[Misfit]:
    query, key, value = (_shape(seen, role) for role in ("query", "key", "value"))
    if min(len(query), len(key), len(value)) < 2:
        return
    if query[-1] != key[-1]:
        yield Misfit("width", "key", (*key[:-1], query[-1]))
    if not _spreads(key[:-2], query[:-2]) and not _spreads(query[:-2], key[:-2]):
        yield Misfit("stacks", "key", (*query[:-2], *key[-2:]))
    if key[-2] != value[-2]:
        yield Misfit("pairs", "value", (*value[:-2], key[-2], value[-1]))
    mask, wants = _shape(seen, "attn_mask"), (*query[:-1], key[-2])
    if not mask or _spreads(mask, wants):
        return
    if len(query) == 4 and mask == (query[0], key[-2]):
        yield Misfit("keys", "attn_mask", wants, ".unsqueeze(1).unsqueeze(1)")
    elif len(query) == 4 and mask == (query[0], *wants[-2:]):
        yield Misfit("over_heads", "attn_mask", wants, ".unsqueeze(1)")
    else:
        yield Misfit("mask", "attn_mask", wants[-2:])


def _spreads(mask: tuple[int, ...], wants: tuple[int, ...]) -> bool:
    sizes = zip(mask[::-1], wants[::-1], strict=False)
    return len(mask) <= len(wants) and all(a in (1, b) for a, b in sizes)


def _transformer(seen: Observation) -> Iterator[Misfit]:
    width, src, tgt = seen.options.get("d_model"), _shape(seen, "src"), _shape(seen, "tgt")
    for role, shape in (("src", src), ("tgt", tgt)):
        if width and shape and shape[-1] != width:
            yield Misfit("width", role, (*shape[:-1], width))
    axis = 0 if seen.options.get("batch_first") else 1
    if len(src) == len(tgt) == 3 and src[axis] != tgt[axis]:
        wants = (src[0], *tgt[1:]) if axis == 0 else (tgt[0], src[1], tgt[2])
        yield Misfit("batch", "tgt", wants)


def _encoder(seen: Observation) -> Iterator[Misfit]:
    """Only the fast path stops here, and it reads the batch first."""
    src, role = _shape(seen, "src"), "src_key_padding_mask"
    if len(src) == 3 and seen.options.get("batch_first", True):
        sizes = Sizes(src[0], src[1], src[1], 1)
        yield from _padding(_shape(seen, role), sizes, role, seen.options)


def attention_counts(seen: Observation, got: tuple[int, ...]) -> dict[str, int]:
    """The numbers the sentences are filled with: rows, positions, heads, and widths near by."""
    query = next((each.shape for each in seen.operands if len(each.shape) == 3), (0, 0, 0))
    axis = 0 if seen.options.get("batch_first") else 1
    found = {"rows": query[axis], "positions": query[1 - axis], "others": 0, "below": 0}
    found["others"] = got[axis] if len(got) > axis else 0
    heads, width = seen.options.get("num_heads") or 1, seen.options.get("embed_dim") or 0
    below = width // heads * heads
    return {**found, "below": below, "above": below + heads, "heads": heads}


def same_time(seen: Observation, role: str) -> bool:
    """Whether the axis that is read as the time has one size in both tensors."""
    first, other = seen.operands[0].shape, seen.operand(role)
    flag = seen.options.get("batch_first")
    return not flag and other is not None and first[0] == other.shape[0]
