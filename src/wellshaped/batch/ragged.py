"""Sequences of several lengths as one padded tensor that knows what is real, and back.

B rows, T steps. A step may have axes of its own, and rows may be nested: sentences of documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence
from torch.utils import _pytree as pytree

from wellshaped.batch.samples import Name, check_fields, dtype_name, field_of, tensors_of
from wellshaped.batch.settings import check_choice, check_count
from wellshaped.records.phrase import UserError

Side = Literal["right", "left"]


def mask_of(lengths: Tensor, size: int, *, side: Side = "right") -> Tensor:
    """True at the real steps of rows that are padded to `size`: (*lengths.shape, size)."""
    steps = torch.arange(size, device=lengths.device)  # (T,)
    if side == "left":
        return steps >= size - lengths.unsqueeze(-1)  # (B, T)
    return steps < lengths.unsqueeze(-1)  # (B, T)


@dataclass(frozen=True, eq=False)
class Padded:
    """Sequences in one tensor. What is real is told by `lengths`, never by the values.

    Of nested sequences `lengths` has an axis for each level, (B, S), and is 0 where a row has
    no such sequence.
    """

    values: Tensor  # (B, T, *)
    lengths: Tensor  # (B,) int64
    side: Side = "right"

    @property
    def mask(self) -> Tensor:
        """True at real steps: (B, T)."""
        return mask_of(self.lengths, self.values.shape[self.lengths.ndim], side=self.side)

    def unpad(self) -> list[Any]:
        """The sequences as they were: a tensor (length, *) each, lists of them if nested."""
        if self.lengths.ndim == 1:
            size = self.values.shape[1]
            starts = size - self.lengths if self.side == "left" else torch.zeros_like(self.lengths)
            spans = zip(starts.tolist(), self.lengths.tolist(), strict=True)
            return [row[a : a + n] for row, (a, n) in zip(self.values, spans, strict=True)]
        real = self.lengths.flatten(2).any(-1) if self.lengths.ndim > 2 else self.lengths > 0
        rows = zip(self.values, self.lengths, real, strict=True)
        return [Padded(row[keep], n[keep], self.side).unpad() for row, n, keep in rows]

    def tolist(self) -> list[Any]:
        """The sequences as nested lists of Python numbers."""
        return _lists(self.unpad())

    def to(self, *args: Any, **kwargs: Any) -> Padded:
        """The same on another device; of another dtype the values only."""
        values = self.values.to(*args, **kwargs)
        return replace(self, values=values, lengths=self.lengths.to(values.device))

    def pin_memory(self) -> Padded:
        """The same in pinned memory; a `DataLoader` calls it."""
        return replace(self, values=self.values.pin_memory(), lengths=self.lengths.pin_memory())


def _whole(parts: Iterable[Any], side: Side) -> Padded:
    values, lengths = parts
    return Padded(values, lengths, side)


# A batch is an argument of `torch.export` and `torch.func` like the tensors in it.
pytree.register_pytree_node(
    Padded,
    lambda padded: ([padded.values, padded.lengths], padded.side),
    _whole,
    serialized_type_name="wellshaped.batch.Padded",
    flatten_with_keys_fn=lambda padded: (
        [
            (pytree.GetAttrKey("values"), padded.values),
            (pytree.GetAttrKey("lengths"), padded.lengths),
        ],
        padded.side,
    ),
)


def _lists(rows: list[Any]) -> list[Any]:
    return [_lists(row) if isinstance(row, list) else row.tolist() for row in rows]


@dataclass(frozen=True)
class Padding:
    """How sequences are padded; calling it pads them.

    Sequences longer than `max_length` are cut, and `keep` says which part stays. The batch is as
    wide as its longest row, or `max_length` wide, rounded up to `pad_to_multiple_of`.
    """

    fill: float = 0
    side: Side = "right"
    max_length: int | None = None
    keep: Literal["beginning", "end"] = "beginning"
    width: Literal["longest", "max_length"] = "longest"
    pad_to_multiple_of: int = 1
    # What every sample must be, and what an empty batch is: without them the samples decide.
    dtype: torch.dtype | None = None
    trailing: tuple[int, ...] | None = None
    # How many axes are ragged: 2 for documents of sentences of tokens.
    depth: int = 1

    def __post_init__(self) -> None:
        check_choice("side", self.side, ("right", "left"))
        check_choice("keep", self.keep, ("beginning", "end"))
        check_choice("width", self.width, ("longest", "max_length"))
        check_count("pad_to_multiple_of", self.pad_to_multiple_of)
        check_count("depth", self.depth)
        if self.max_length is not None or self.width == "max_length":
            check_count("max_length", self.max_length)

    def __call__(self, samples: Sequence[Any], *, name: Name = str) -> Padded:
        """The samples in one tensor; `name` is how one of them is called in an error."""
        if self.depth > 1:
            return self._nested(samples, name)
        rows = tensors_of(samples, name=name, dtype=self.dtype, trailing=self.trailing)
        rows = [self._cut(row) for row in rows]
        like = rows[0] if rows else torch.empty(0, *(self.trailing or ()), dtype=self.dtype)
        if not _holds(like.dtype, self.fill):
            raise UserError("WS919", "setting_fill", got=self.fill, dtype=dtype_name(like.dtype))
        lengths = torch.tensor([row.shape[0] for row in rows], dtype=torch.int64)
        return Padded(self._padded(rows, like), lengths, self.side)

    def _padded(self, rows: list[Tensor], like: Tensor) -> Tensor:
        size = self.padded_size(max((row.shape[0] for row in rows), default=0))
        if not rows:
            return like.new_empty(0, size, *like.shape[1:])
        values = pad_sequence(
            rows, batch_first=True, padding_value=self.fill, padding_side=self.side
        )
        if values.shape[1] == size:
            return values
        rest = like.new_full((len(rows), size - values.shape[1], *like.shape[1:]), self.fill)
        return torch.cat([rest, values] if self.side == "left" else [values, rest], dim=1)

    def padded_size(self, longest: int) -> int:
        """How wide a batch is whose longest sequence has this many steps."""
        if self.max_length is not None:
            longest = self.max_length if self.width == "max_length" else longest
            longest = min(longest, self.max_length)
        return -(-longest // self.pad_to_multiple_of) * self.pad_to_multiple_of

    def _cut(self, row: Tensor) -> Tensor:
        if self.max_length is None or row.shape[0] <= self.max_length:
            return row
        return row[-self.max_length :] if self.keep == "end" else row[: self.max_length]

    def _nested(self, samples: Sequence[Any], name: Name) -> Padded:
        for index, sample in enumerate(samples):
            if not isinstance(sample, list | tuple | Tensor):
                got = type(sample).__name__
                raise UserError("WS915", "sample_not_nested", index=name(index), got=got)
            if len(sample) == 0:
                raise UserError("WS917", "sample_empty", index=name(index))
        counts = torch.tensor([len(sample) for sample in samples], dtype=torch.int64)  # (B,)
        places = [(row, n) for row, sample in enumerate(samples) for n in range(len(sample))]
        inner = replace(self, depth=self.depth - 1)(
            [samples[row][n] for row, n in places],
            name=lambda index: f"{name(places[index][0])}[{places[index][1]}]",
        )
        present = mask_of(counts, int(counts.max()) if len(samples) else 0)  # (B, S)
        values = inner.values.new_full((*present.shape, *inner.values.shape[1:]), self.fill)
        lengths = inner.lengths.new_zeros((*present.shape, *inner.lengths.shape[1:]))
        values[present], lengths[present] = inner.values, inner.lengths
        return Padded(values, lengths, self.side)


def _holds(dtype: torch.dtype, value: float) -> bool:
    if dtype.is_floating_point or dtype.is_complex:
        return True
    if dtype == torch.bool:
        return value in (0, 1)
    kind = torch.iinfo(dtype)
    return float(value).is_integer() and kind.min <= value <= kind.max


def pad(
    samples: Sequence[Any],
    *,
    fill: float = 0,
    side: Side = "right",
    max_length: int | None = None,
    keep: Literal["beginning", "end"] = "beginning",
    width: Literal["longest", "max_length"] = "longest",
    pad_to_multiple_of: int = 1,
    dtype: torch.dtype | None = None,
    trailing: tuple[int, ...] | None = None,
    depth: int = 1,
) -> Padded:
    """Lists, arrays or tensors (T, *) in one (B, T, *); `Padding` says what each option is."""
    how = Padding(fill, side, max_length, keep, width, pad_to_multiple_of, dtype, trailing, depth)
    return how(samples)


def pad_fields(
    samples: Sequence[Mapping[str, Any]],
    *,
    padding: Padding | None = None,
    fields: Mapping[str, Padding] | None = None,
    name: Name = str,
) -> dict[str, Any]:
    """Dictionaries of sequences as one dictionary of padded tensors, as deep as theirs.

    `fields` holds the padding of single fields by their names; the others take `padding`.
    """
    padding, fields = padding or Padding(), fields or {}
    padded: dict[str, Any] = {}
    check_fields(samples, name=name)
    for key in dict.fromkeys(key for sample in samples for key in sample):

        def name_of(index: int, key: str = key) -> str:
            return f"{name(index)}[{key!r}]"

        parts = field_of(samples, key, name=name)
        if all(isinstance(part, Mapping) for part in parts):
            padded[key] = pad_fields(parts, padding=padding, fields=fields, name=name_of)
        else:
            padded[key] = fields.get(key, padding)(parts, name=name_of)
    return padded


def unpad_fields(padded: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The dictionaries that `pad_fields` was given, with tensors for their sequences."""
    columns = {
        key: unpad_fields(part) if isinstance(part, Mapping) else part.unpad()
        for key, part in padded.items()
    }
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
