"""What a model learned of its data besides weights: vocabularies, names, scales; and its batches.

B rows, T positions, F features, K numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import torch
from torch import Tensor

from wellshaped.batch import Padded, pad
from wellshaped.nn import Task, task
from wellshaped.records.phrase import UserError
from wellshaped.train.tasks.kinds import KINDS, Columns, Example, Kind
from wellshaped.train.tasks.vocabulary import BOS, EOS, Vocabulary

Scale = tuple[float, float]


class RowBatch(NamedTuple):
    """Rows of one batch; the parts that a task does not have are None."""

    text: Padded | None
    features: Tensor | None  # (B, F)
    targets: Tensor | None = None
    real: Tensor | None = None  # (B,) lengths of the targets
    rows: int = 0

    def to(self, *args: Any, **kwargs: Any) -> RowBatch:
        """The same on another device."""

        def moved(part: Any) -> Any:
            return None if part is None else part.to(*args, **kwargs)

        text, features = moved(self.text), moved(self.features)
        return RowBatch(text, features, moved(self.targets), moved(self.real), self.rows)


@dataclass(frozen=True)
class Encoding:
    """From examples to tensors; made from the training rows, and kept beside the weights."""

    kind: Kind
    columns: Columns
    source: Vocabulary
    target: Vocabulary
    names: tuple[str, ...] = ()
    feature_scales: tuple[Scale, ...] = ()
    target_scales: tuple[Scale, ...] = ()

    @classmethod
    def of(
        cls, kind: Kind, columns: Columns, trained: Sequence[Example], every: Sequence[Example]
    ) -> Encoding:
        """Words and scales of the rows that are trained on; names of labels of all rows."""
        names = _names(kind, every)
        is_text, is_number = kind.name == "seq2seq", kind.name == "regress"
        return cls(
            kind,
            columns,
            Vocabulary.of((each.tokens for each in trained), columns.level),
            Vocabulary.of((each.target for each in trained if is_text), columns.level),
            names,
            _scales([each.features for each in trained]),
            _scales([each.target for each in trained]) if is_number else (),
        )

    def task(self) -> Task:
        """The task in its sizes."""
        match self.kind.name:
            case "classify" | "tag":
                return task(self.kind.task, num_classes=len(self.names))
            case "multilabel":
                return task(self.kind.task, num_labels=len(self.names))
            case "regress":
                return task(self.kind.task, num_outputs=len(self.columns.targets))
            case _:
                return task(self.kind.task, vocab_size=len(self.target), bos=BOS, eos=EOS)

    def inputs(self, examples: Sequence[Example]) -> RowBatch:
        """Rows without targets, to predict from."""
        text = features = None
        if self.columns.text:
            text = pad([self.source.numbers(each.tokens) for each in examples])
        if self.columns.features:
            rows = [_scaled(each.features, self.feature_scales) for each in examples]
            features = torch.tensor(rows, dtype=torch.float32)  # (B, F)
        return RowBatch(text, features, rows=len(examples))

    def batch(self, examples: Sequence[Example]) -> RowBatch:
        """Rows with targets, to train on."""
        given = self.inputs(examples)
        targets, real = self._targets([each.target for each in examples])
        return RowBatch(given.text, given.features, targets, real, given.rows)

    def _targets(self, targets: list[Any]) -> tuple[Tensor, Tensor | None]:
        places = {name: place for place, name in enumerate(self.names)}
        match self.kind.name:
            case "classify":
                return torch.tensor([places[name] for name in targets]), None  # (B,)
            case "multilabel":
                held = [[float(name in row) for name in self.names] for row in targets]
                return torch.tensor(held), None  # (B, L)
            case "regress":
                rows = [_scaled(row, self.target_scales) for row in targets]
                return torch.tensor(rows, dtype=torch.float32), None  # (B, K)
            case "tag":
                padded = pad([[places[name] for name in row] for row in targets])
            case _:
                padded = pad([[*self.target.numbers(row), EOS] for row in targets])
        return padded.values, padded.lengths  # (B, T), (B,)

    def unscaled(self, numbers_BK: Tensor) -> Tensor:
        """Numbers as they were in the data."""
        means_K, sizes_K = torch.tensor(self.target_scales, device=numbers_BK.device).unbind(1)
        return numbers_BK * sizes_K + means_K  # (B, K)

    def state(self) -> dict[str, Any]:
        """All of it as JSON."""
        words = {
            side: {"level": each.level, "tokens": each.tokens}
            for side, each in (("source", self.source), ("target", self.target))
        }
        return {
            "kind": self.kind.name,
            "columns": asdict(self.columns),
            **words,
            "names": self.names,
            "feature_scales": self.feature_scales,
            "target_scales": self.target_scales,
        }

    @classmethod
    def from_state(cls, state: dict[str, Any]) -> Encoding:
        """What `state` gave, read back."""
        columns = {**state["columns"]}
        for name in ("features", "targets"):
            columns[name] = tuple(columns[name])
        words = {
            side: Vocabulary(state[side]["level"], tuple(state[side]["tokens"]))
            for side in ("source", "target")
        }
        scales = {
            name: tuple((mean, size) for mean, size in state[name])
            for name in ("feature_scales", "target_scales")
        }
        kind, names = KINDS[state["kind"]], tuple(state["names"])
        return cls(kind, Columns(**columns), words["source"], words["target"], names, **scales)


def _names(kind: Kind, examples: Sequence[Example]) -> tuple[str, ...]:
    """The classes, labels or tags there are, in their order."""
    if kind.name not in ("classify", "multilabel", "tag"):
        return ()
    held = [(each.target,) if kind.name == "classify" else each.target for each in examples]
    names = {name for row in held for name in row}
    least = 1 if kind.name == "multilabel" else 2
    if len(names) < least:
        raise UserError("WS984", "too_few_names", count=len(names), least=least)
    numeric = all(name.isdigit() for name in names)
    return tuple(sorted(names, key=lambda name: (int(name) if numeric else 0, name)))


def _scales(rows: list[tuple[float, ...]]) -> tuple[Scale, ...]:
    """Mean and spread of each column; what never varies keeps its size."""
    if not rows or not rows[0]:
        return ()
    table = torch.tensor(rows, dtype=torch.float64)  # (N, K)
    means, sizes = table.mean(0), table.std(0, unbiased=False)
    sizes = torch.where(sizes > 0, sizes, torch.ones_like(sizes))
    return tuple(zip(means.tolist(), sizes.tolist(), strict=True))


def _scaled(row: tuple[float, ...], scales: tuple[Scale, ...]) -> list[float]:
    return [(value - mean) / size for value, (mean, size) in zip(row, scales, strict=True)]
