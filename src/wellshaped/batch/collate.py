"""From samples to the batch of a task: padded inputs, and targets as its loss needs them.

B rows, T steps, L labels, K outputs. A sample is a pair, or a dictionary with two fields.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

import torch
from torch import Tensor

from wellshaped.batch.ragged import Padded, Padding
from wellshaped.batch.record import Batch, Pairs
from wellshaped.batch.samples import Name, check_fields, field_of, stacked, tensors_of
from wellshaped.batch.settings import check_choice, check_count
from wellshaped.batch.targets import check_classes, check_finite, check_zero_one, many_hot
from wellshaped.records.phrase import UserError

# Where a sequence has no target: losses of class numbers leave it out, as in torch.
IGNORED: Final = -100


@dataclass(frozen=True)
class Stacking:
    """Samples of one shape, not padded; without `shape` and `dtype` the samples decide."""

    shape: tuple[int, ...] | None = None
    dtype: torch.dtype | None = None

    def __call__(self, samples: Sequence[Any], *, name: Name = str) -> Tensor:
        """The samples in one tensor (B, *)."""
        return stacked(samples, name=name, dtype=self.dtype, shape=self.shape)


TOKENS: Final = Padding(dtype=torch.int64)
_CLASS: Final = Stacking((), torch.int64)
_NUMBER: Final = Stacking((), torch.float32)


def columns_of(samples: Sequence[Any], fields: tuple[str, ...]) -> list[tuple[list[Any], Name]]:
    """The samples by their parts, each with the way to name one of them."""
    if any(isinstance(sample, Mapping) for sample in samples):
        check_fields(samples)
        return [(field_of(samples, key), _named(key)) for key in fields]
    for index, sample in enumerate(samples):
        if not isinstance(sample, list | tuple) or len(sample) != len(fields):
            raise UserError("WS915", "sample_parts", index=index, needed=", ".join(fields))
    return [([sample[at] for sample in samples], _named(at)) for at in range(len(fields))]


def _named(key: str | int) -> Name:
    return lambda index: f"{index}[{key!r}]"


@dataclass(frozen=True, kw_only=True)
class Collate(ABC):
    """What the collate functions of tasks share; a `DataLoader` takes one as `collate_fn`.

    `inputs` says how the inputs become a tensor: tokens, padded, unless it is set to another
    `Padding` or to `Stacking`, for features of one shape. `fields` are their names in a sample.
    """

    inputs: Padding | Stacking = TOKENS
    fields: tuple[str, str] = ("inputs", "targets")

    def __call__(self, samples: Sequence[Any]) -> Batch:
        """The batch; a sample that does not fit is named by its place in it."""
        (inputs, name), (targets, target_name) = columns_of(samples, self.fields)
        made = self.inputs(inputs, name=name)
        return Batch(made, self._targets(targets, target_name, inputs))

    @abstractmethod
    def _targets(self, targets: list[Any], name: Name, inputs: list[Any]) -> Padded | Tensor:
        """The targets of the rows; `inputs` are those of the samples."""


@dataclass(frozen=True, kw_only=True)
class BinaryCollate(Collate):
    """Targets (B,) float: 0 or 1."""

    def _targets(self, targets: list[Any], name: Name, inputs: list[Any]) -> Tensor:
        return check_zero_one(_NUMBER(targets, name=name), name)  # (B,)


@dataclass(frozen=True, kw_only=True)
class MulticlassCollate(Collate):
    """Targets (B,) int64: class numbers."""

    num_classes: int

    def _targets(self, targets: list[Any], name: Name, inputs: list[Any]) -> Tensor:
        numbers_B = _CLASS(targets, name=name)  # (B,)
        check_classes(numbers_B.unsqueeze(1), self.num_classes, name, ignored=IGNORED)
        return numbers_B


@dataclass(frozen=True, kw_only=True)
class MultilabelCollate(Collate):
    """Targets (B, L) float, 1 for each label that applies.

    A sample lists the numbers of its labels, which may be none; with `given="zero_one"` it holds
    L numbers, 0 or 1. The two cannot be told apart by looking: `[1, 0]` is both.
    """

    num_labels: int
    given: Literal["numbers", "zero_one"] = "numbers"

    def __post_init__(self) -> None:
        check_count("num_labels", self.num_labels)
        check_choice("given", self.given, ("numbers", "zero_one"))

    def _targets(self, targets: list[Any], name: Name, inputs: list[Any]) -> Tensor:
        if self.given == "numbers":
            return many_hot(targets, self.num_labels, name)  # (B, L)
        rows = stacked(targets, name=name, dtype=torch.float32, shape=(self.num_labels,))
        return check_zero_one(rows, name)  # (B, L)


@dataclass(frozen=True, kw_only=True)
class RegressionCollate(Collate):
    """Targets (B,) float, or (B, K) with `num_outputs=K`."""

    num_outputs: int | None = None

    def _targets(self, targets: list[Any], name: Name, inputs: list[Any]) -> Tensor:
        shape = () if self.num_outputs is None else (self.num_outputs,)
        rows = stacked(targets, name=name, dtype=torch.float32, shape=shape)
        return check_finite(rows, name)  # (B,) or (B, K)


@dataclass(frozen=True, kw_only=True)
class TaggingCollate(Collate):
    """Targets (B, T) int64: a class number for each step of the inputs, -100 at padding."""

    inputs: Padding = TOKENS
    num_classes: int

    def _targets(self, targets: list[Any], name: Name, inputs: list[Any]) -> Padded:
        tags = tensors_of(targets, name=name, dtype=torch.int64, trailing=())
        for index, (row, steps) in enumerate(zip(tags, inputs, strict=True)):
            check_classes(row.unsqueeze(0), self.num_classes, name, ignored=IGNORED, first=index)
            if len(row) != len(steps):
                facts = {"got": len(row), "needed": len(steps)}
                raise UserError("WS918", "sample_targets", index=name(index), **facts)
        how = replace(self.inputs, fill=IGNORED, dtype=torch.int64, trailing=())
        return how(tags, name=name)  # (B, T)


@dataclass(frozen=True, kw_only=True)
class Seq2SeqCollate(Collate):
    """Targets (B, T) int64: the words a decoder is to give, then `eos`; -100 at padding.

    The decoder shifts them itself. A target that is cut to the `max_length` of `outputs` has no
    `eos`: it does not end there.
    """

    vocab_size: int
    eos: int
    # What the decoder puts before the targets: they may not begin with it themselves.
    bos: int | None = None
    outputs: Padding = TOKENS

    def _targets(self, targets: list[Any], name: Name, inputs: list[Any]) -> Padded:
        words = tensors_of(targets, name=name, dtype=torch.int64, trailing=())
        for index, row in enumerate(words):
            check_classes(row.unsqueeze(0), self.vocab_size, name, first=index)
            if row[0] == self.bos:
                raise UserError("WS916", "sample_begins", index=name(index), got=self.bos)
        how = replace(self.outputs, fill=IGNORED)
        return how([torch.cat([row, row.new_tensor([self.eos])]) for row in words])  # (B, T)


@dataclass(frozen=True, kw_only=True)
class RewardCollate:
    """Preference pairs in one tensor (2B, T), for one forward: all chosen, then all rejected.

    With a third field, `fields=("chosen", "rejected", "prompt")`, both answers follow the prompt.
    """

    inputs: Padding = TOKENS
    fields: tuple[str, ...] = ("chosen", "rejected")

    def __call__(self, samples: Sequence[Any]) -> Pairs:
        """The batch; a sample that does not fit is named by its place in it."""
        parts = [
            tensors_of(part, name=name, dtype=self.inputs.dtype, trailing=self.inputs.trailing)
            for part, name in columns_of(samples, self.fields)
        ]
        chosen, rejected, *prompts = parts
        for prompt in prompts:
            chosen = [torch.cat(pair) for pair in zip(prompt, chosen, strict=True)]
            rejected = [torch.cat(pair) for pair in zip(prompt, rejected, strict=True)]
        return Pairs(self.inputs([*chosen, *rejected]))  # (2B, T)


_TASKS: Final[dict[str, type[Collate] | type[RewardCollate]]] = {
    "binary": BinaryCollate,
    "multiclass": MulticlassCollate,
    "multilabel": MultilabelCollate,
    "regression": RegressionCollate,
    "tagging": TaggingCollate,
    "seq2seq": Seq2SeqCollate,
    "reward": RewardCollate,
}


def collate_for(task: str, **options: Any) -> Collate | RewardCollate:
    """The collate function of a task, by the names and sizes of `wellshaped.nn.task`."""
    check_choice("task", task, tuple(_TASKS))
    return _TASKS[task](**options)
