"""A task as one object: a head, a loss, predictions, metrics and collation that agree.

B rows, T positions. `task("multilabel", num_labels=5)` finds its row in the table; everything it
makes or takes has the shapes of that row, and what has not is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import torch
from torch import Tensor

from wellshaped.batch.collate import IGNORED, collate_for
from wellshaped.batch.ragged import Padded
from wellshaped.batch.record import Batch, Pairs
from wellshaped.nn.decoder import Seq2SeqHead
from wellshaped.nn.heads import Head, RowHead, TokenHead
from wellshaped.nn.losses import Reduction, element_losses, reduce_losses
from wellshaped.nn.metrics import Metrics
from wellshaped.nn.real import (
    Real,
    as_mask,
    as_tensor,
    dtype_of,
    unreadable,
    values_and_real,
    without_padding,
)
from wellshaped.nn.table import TABLE, TaskRow, axes_of
from wellshaped.records.phrase import UserError
from wellshaped.records.shape import shape_text


def task(name: str, /, **options: int) -> Task:
    """The task of this name: "binary", "multiclass" (num_classes=…), "multilabel" (num_labels=…),
    "regression" (one number a row; num_outputs=… for several), "tagging" (num_classes=…),
    "seq2seq" (vocab_size=…, bos=…, eos=…) or "reward".
    """
    rows = [row for row in TABLE if row.name == name]
    if not rows:
        known = ", ".join(dict.fromkeys(row.name for row in TABLE))
        raise UserError("WS925", "no_such_choice", option="task", got=name, known=known)
    for row in rows:
        if set(options) == set(_options(row)):
            return Task(row, _whole(row, options))
    wanted = ", ".join(f"`{_call(name, dict.fromkeys(_options(row), '…'))}`" for row in rows)
    raise UserError("WS926", "task_options", got=_call(name, options), wanted=wanted)


@dataclass(frozen=True)
class Task:
    """One row of the table with its sizes: what belongs together for training on it."""

    row: TaskRow
    options: Mapping[str, int] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.row.name

    @property
    def size(self) -> int | None:
        """How many classes, labels, outputs or words; None where a row has one number."""
        return self.options[self.row.option] if self.row.option else None

    def head(self, in_features: int, **options: Any) -> Head:
        """A module from features to outputs; `head.loss` and `head.predict` are the task's.

        Tasks with a target for each row take `pool="mean"`, or another name of `Pool`;
        "seq2seq" takes `hidden_size=`.
        """
        kind = _HEADS.get(self.name, RowHead)
        return kind(self, in_features, **options)

    def loss(
        self,
        outputs: Tensor,
        targets: Tensor | Padded,
        real: Real | None = None,
        *,
        reduction: Reduction = "mean",
    ) -> Tensor:
        """The loss of raw outputs. The mean divides by the elements that count.

        `real` says which do: for "tagging" and "seq2seq" the lengths (B,) or the mask (B, T) of
        the targets, which they need unless these are a `Padded`; for the others, if at all, a bool
        mask of rows (B,) or of elements. Class number -100 never counts, as in torch.
        """
        targets, counted = self.counted(outputs, targets, real)
        if counted is not None:
            outputs, targets = without_padding(outputs, counted), without_padding(targets, counted)
        losses = element_losses(self.row.target_values, outputs, targets)
        return reduce_losses(losses, counted, reduction)

    def predict(self, outputs: Tensor, real: Real | None = None) -> Tensor:
        """Class numbers, 0 or 1, or the numbers themselves; -100 at padding."""
        self.check("outputs", outputs, {})
        held = self.row.target_values
        found = outputs
        if held == "classes":
            found = outputs.argmax(-1)
        elif held == "zero_one":
            found = (outputs > 0).long()
        if not self.row.by_position:
            return found
        return found.masked_fill(~self._mask(outputs, real), IGNORED)  # (B, T)

    def collate(self, samples: Sequence[Any]) -> Batch | Pairs:
        """The batch of some samples, for a `DataLoader`: tokens padded on the right.

        `batch.collate_for(task.name, **task.options, inputs=…)` takes other inputs.
        """
        return collate_for(self.name, **self.options)(samples)

    def metrics(self) -> Metrics:
        """A fresh set of metrics: `update(outputs, targets, real)` per batch, then `compute()`."""
        return Metrics(self)

    def counted(
        self, outputs: Tensor, targets: Tensor | Padded, real: Real | None
    ) -> tuple[Tensor, Tensor | None]:
        """The targets, and which elements count, None where all do; the shapes were checked."""
        if self.row.by_position:
            targets, real = values_and_real(targets, real)
        elif isinstance(targets, Padded):
            targets = targets.values
        sizes: dict[str, int] = {}
        self.check("outputs", outputs, sizes)
        self.check("targets", targets, sizes)
        self._check_dtype(targets)
        if self.row.by_position:
            assert real is not None
            return targets, as_mask(real, outputs) & (targets != IGNORED)  # (B, T)
        chosen = self._rows(tuple(sizes[axis] for axis in axes_of(self.row.elements)), real)
        if self.row.target_values != "classes":
            return targets, chosen
        kept = targets != IGNORED
        return targets, kept if chosen is None else kept & chosen

    def check(self, argument: str, tensor: Tensor, sizes: dict[str, int]) -> None:
        """Refuse a tensor that has not the shape of the table; `sizes` learns its axes."""
        wanted = self.row.outputs if argument == "outputs" else self.row.targets
        axes = axes_of(wanted)
        if self.row.axis and self.size is not None:
            sizes.setdefault(self.row.axis, self.size)
        if len(axes) == tensor.dim() and all(
            sizes.setdefault(axis, size) == size
            for axis, size in zip(axes, tensor.shape, strict=True)
        ):
            return
        shape = shape_text(tuple(sizes.get(axis, axis) for axis in axes))
        facts = {"argument": argument, "got": shape_text(tuple(tensor.shape)), "wanted": shape}
        raise UserError("WS924", "task_shape", task=self.name, **facts)

    def _check_dtype(self, targets: Tensor) -> None:
        inexact = targets.is_floating_point() or targets.is_complex()
        if self.row.target_values != "classes" or not (inexact or targets.dtype == torch.bool):
            return
        raise UserError("WS927", "class_numbers_whole", task=self.name, got=dtype_of(targets))

    def _mask(self, outputs: Tensor, real: Real | None) -> Tensor:
        if real is None:
            raise unreadable(None, tuple(outputs.shape[:2]))
        return as_mask(real, outputs)  # (B, T)

    def _rows(self, elements: tuple[int, ...], real: Real | None) -> Tensor | None:
        if real is None:
            return None
        told = as_tensor(real)
        if told.dtype != torch.bool or not told.dim() or told.shape != elements[: told.dim()]:
            raise unreadable(told, elements, message="counted_unreadable")
        return told.reshape(*told.shape, *(1,) * (len(elements) - told.dim())).expand(elements)


_HEADS: Final[dict[str, Callable[..., Head]]] = {"tagging": TokenHead, "seq2seq": Seq2SeqHead}


def _options(row: TaskRow) -> tuple[str, ...]:
    return (*((row.option,) if row.option else ()), *row.settings)


def _call(name: str, options: Mapping[str, object]) -> str:
    """`task("multilabel", num_labels=5)`, as it is written."""
    given = [f'"{name}"', *(f"{key}={value}" for key, value in options.items())]
    return f"task({', '.join(given)})"


def _whole(row: TaskRow, options: Mapping[str, int]) -> dict[str, int]:
    for name, number in options.items():
        least = 1 if name == row.option else 0
        if type(number) is not int or number < least:
            raise UserError(
                "WS926", "task_number", task=row.name, option=name, got=number, least=least
            )
        if name in row.settings and number >= options[row.option or ""]:
            last = options[row.option or ""] - 1
            raise UserError("WS926", "task_word", task=row.name, option=name, got=number, last=last)
    return dict(options)
