"""Metrics of a task over any number of batches: the same however the rows are divided.

B rows, T positions, C classes, L labels, K outputs, N elements. Counts are whole numbers and sums
are exact, so that nothing is averaged twice and no order of batches changes a digit.
"""

from __future__ import annotations

from fractions import Fraction
from math import nan, sqrt
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from wellshaped.batch.ragged import Padded
from wellshaped.nn.exact_sum import ExactSum
from wellshaped.nn.real import Real

if TYPE_CHECKING:
    from wellshaped.nn.tasks import Task


class Metrics:
    """The metrics in the task's row of the table: `update` with each batch, then `compute`."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.reset()

    def reset(self) -> None:
        """Begin again."""
        kinds = {"classes": _Classes, "zero_one": _Labels, "numbers": _Numbers, "scores": _Pairs}
        size = self.task.size or 1
        self._kept: _Tally = kinds[self.task.row.target_values](size)

    @torch.no_grad()
    def update(self, outputs: Tensor, targets: Tensor | Padded, real: Real | None = None) -> None:
        """Add a batch: the raw outputs, with `targets` and `real` as for the loss."""
        aims, counted = self.task.counted(outputs, targets, real)
        if counted is None:
            counted = torch.ones_like(aims, dtype=torch.bool)
        if self.task.row.target_values in ("classes", "zero_one"):
            outputs = self.task.predict(outputs, counted)
        self._kept.add(*(part.detach().cpu() for part in (outputs, aims, counted)))

    def compute(self) -> dict[str, float]:
        """Each metric by its name; NaN where nothing was counted or it is not defined."""
        values = self._kept.values()
        return {name: values[name] for name in self.task.row.metrics}


class _Tally:
    """What one kind of target accumulates."""

    def __init__(self, size: int) -> None:
        self.size = size

    def add(self, found: Tensor, targets: Tensor, counted: Tensor) -> None:
        raise NotImplementedError

    def values(self) -> dict[str, float]:
        raise NotImplementedError


class _Classes(_Tally):
    """Right ones, and how often each class was predicted and meant."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.hits, self.predicted, self.meant = torch.zeros(3, size, dtype=torch.long).unbind()
        self.rows = self.right_rows = 0

    def add(self, found: Tensor, targets: Tensor, counted: Tensor) -> None:
        targets = targets.long()
        right = (found == targets) & counted
        self.hits = self.hits + torch.bincount(targets[right], minlength=self.size)
        self.predicted = self.predicted + torch.bincount(found[counted], minlength=self.size)
        self.meant = self.meant + torch.bincount(targets[counted], minlength=self.size)
        self._add_rows(right, counted)

    def _add_rows(self, right: Tensor, counted: Tensor) -> None:
        some, every = _rows(right, counted)
        self.rows, self.right_rows = self.rows + some, self.right_rows + every

    def values(self) -> dict[str, float]:
        accuracy = _share(int(self.hits.sum()), int(self.meant.sum()))
        return {
            "accuracy": accuracy,
            "token_accuracy": accuracy,
            "exact_match": _share(self.right_rows, self.rows),
            "macro_f1": _macro(self.hits, self.predicted + self.meant),
        }


class _Labels(_Tally):
    """For each label how often it was predicted, meant, and both; and how often it was right."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.hits, self.predicted, self.meant = torch.zeros(3, size, dtype=torch.long).unbind()
        self.right = self.elements = self.rows = self.right_rows = 0

    def add(self, found: Tensor, targets: Tensor, counted: Tensor) -> None:
        yes, meant = found.bool() & counted, targets.bool() & counted
        right = (found.bool() == targets.bool()) & counted
        self.hits = self.hits + _per_label(yes & meant, self.size)
        self.predicted = self.predicted + _per_label(yes, self.size)
        self.meant = self.meant + _per_label(meant, self.size)
        self.right, self.elements = (
            self.right + int(right.sum()),
            self.elements + int(counted.sum()),
        )
        some, every = _rows(right, counted)
        self.rows, self.right_rows = self.rows + some, self.right_rows + every

    def values(self) -> dict[str, float]:
        hits, predicted = int(self.hits.sum()), int(self.predicted.sum())
        meant = int(self.meant.sum())
        accuracy, f1 = _share(self.right, self.elements), _share(2 * hits, predicted + meant)
        return {
            "accuracy": accuracy,
            "label_accuracy": accuracy,
            "precision": _share(hits, predicted),
            "recall": _share(hits, meant),
            "f1": f1,
            "micro_f1": f1,
            "macro_f1": _macro(self.hits, self.predicted + self.meant),
            "exact_match": _share(self.right_rows, self.rows),
        }


class _Numbers(_Tally):
    """Exact sums of errors and targets for each output."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.count = [0] * size
        self.sums = [{name: ExactSum() for name in ("off", "off2", "t", "t2")} for _ in range(size)]
        self.finite = True

    def add(self, found: Tensor, targets: Tensor, counted: Tensor) -> None:
        parts = (part.reshape(-1, self.size).unbind(1) for part in (found, targets, counted))
        for place, (column_B, aims_B, keep_B) in enumerate(zip(*parts, strict=True)):
            # Squares of float32 are exact in float64.
            y_N, t_N = column_B[keep_B].double(), aims_B[keep_B].double()
            off_N = y_N - t_N
            added = {"off": off_N.abs(), "off2": off_N**2, "t": t_N, "t2": t_N**2}
            self.count[place] += len(t_N)
            self.finite &= bool(torch.isfinite(torch.cat([*added.values()])).all())
            if self.finite:
                for name, values_N in added.items():
                    self.sums[place][name].add(values_N)

    def values(self) -> dict[str, float]:
        elements = sum(self.count)
        if not elements or not self.finite:
            return dict.fromkeys(("mae", "rmse", "r2"), nan)
        total = {name: sum(sums[name].value for sums in self.sums) for name in ("off", "off2")}
        return {
            "mae": float(total["off"] / elements),
            "rmse": sqrt(total["off2"] / elements),
            "r2": self._r2(),
        }

    def _r2(self) -> float:
        """The share of the variance that is explained, the mean of all outputs."""
        shares: list[Fraction] = []
        for count, sums in zip(self.count, self.sums, strict=True):
            spread = sums["t2"].value - sums["t"].value ** 2 / max(count, 1)
            if spread <= 0:
                return nan
            shares.append(1 - sums["off2"].value / spread)
        return float(sum(shares) / len(shares))


class _Pairs(_Tally):
    """How often the chosen one has the higher score, and by how much on average."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.won = self.count = 0
        self.margin = ExactSum()
        self.finite = True

    def add(self, found: Tensor, targets: Tensor, counted: Tensor) -> None:
        margin_N = found[counted].double() - targets[counted].double()
        self.won, self.count = self.won + int((margin_N > 0).sum()), self.count + len(margin_N)
        self.finite &= bool(torch.isfinite(margin_N).all())
        if self.finite:
            self.margin.add(margin_N)

    def values(self) -> dict[str, float]:
        known = self.finite and self.count
        margin = float(self.margin.value / self.count) if known else nan
        return {"pair_accuracy": _share(self.won, self.count), "margin": margin}


def _share(part: int, whole: int) -> float:
    return part / whole if whole else nan


def _macro(hits: Tensor, seen: Tensor) -> float:
    """The mean F1 of the classes that were predicted or meant at least once."""
    shares = [
        Fraction(2 * hit, both)
        for hit, both in zip(hits.tolist(), seen.tolist(), strict=True)
        if both
    ]
    return float(sum(shares) / len(shares)) if shares else nan


def _rows(right: Tensor, counted: Tensor) -> tuple[int, int]:
    """How many rows have an element that counts, and how many of these have all of them right."""
    rows = counted.shape[0]
    wanted_B = counted.reshape(rows, -1).sum(1) if rows else counted.new_zeros(0)
    right_B = right.reshape(rows, -1).sum(1) if rows else right.new_zeros(0)
    some_B = wanted_B > 0
    return int(some_B.sum()), int((some_B & (right_B == wanted_B)).sum())


def _per_label(chosen: Tensor, size: int) -> Tensor:
    return chosen.reshape(-1, size).sum(0)  # (L,)
