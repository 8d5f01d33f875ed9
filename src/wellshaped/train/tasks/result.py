"""A trained task as a folder: its weights, what they belong to, and predictions from it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from wellshaped.files.whole import drafted, publish_text
from wellshaped.nn import Seq2SeqHead
from wellshaped.records.phrase import UserError
from wellshaped.train.artifacts.checkpoint import read_weights, write_weights
from wellshaped.train.tasks.encoding import Encoding
from wellshaped.train.tasks.kinds import Example, NotUsable
from wellshaped.train.tasks.model import RowsModel

FORMAT = 1
_ABOUT, _WEIGHTS = "task.json", "model.safetensors"
# A reply may be somewhat longer than what it replies to.
_LONGEST_REPLY = 2.0
_SHORTEST_LIMIT = 32


class Trained:
    """A trained model with what it learned of its data: `predict` takes texts or rows."""

    def __init__(self, encoding: Encoding, model: RowsModel, sizes: Mapping[str, int]) -> None:
        self.encoding, self.model, self.sizes = encoding, model, dict(sizes)

    def predict(
        self, rows: Iterable[str | Mapping[str, Any]], *, batch_size: int = 64
    ) -> list[Any]:
        """For each text or row a class, numbers, labels, tags or a text, by the task's kind."""
        kind, columns = self.encoding.kind, self.encoding.columns
        found = []
        for line, row in enumerate(rows, 1):
            fields = {columns.text: row} if isinstance(row, str) else dict(row)
            missing = next((name for name in columns.inputs if fields.get(name) is None), None)
            if missing is not None:
                raise UserError("WS982", "row_without_column", line=line, column=missing)
            try:
                found.append(kind.inputs(fields, columns))
            except NotUsable as error:
                raise UserError(
                    "WS984", "row_not_usable", line=line, reason=error.reason
                ) from error
        return self.of_examples(found, batch_size=batch_size)

    def of_examples(self, found: Sequence[Example], *, batch_size: int = 64) -> list[Any]:
        """The same from examples."""
        was_training = self.model.training
        self.model.eval()
        try:
            with torch.no_grad():
                parts = [found[at : at + batch_size] for at in range(0, len(found), batch_size)]
                return [each for part in parts for each in self._predicted(part)]
        finally:
            self.model.train(was_training)

    def _predicted(self, found: Sequence[Example]) -> list[Any]:
        batch = self.encoding.inputs(found).to(next(self.model.parameters()).device)
        names, task = self.encoding.names, self.encoding.task()
        if isinstance(self.model.head, Seq2SeqHead):
            memory_BTD, lengths_B = self.model.memory(batch)
            most = max(_SHORTEST_LIMIT, int(_LONGEST_REPLY * memory_BTD.shape[1]))
            words_BT, lengths_B = self.model.head.generate(memory_BTD, lengths_B, max_length=most)
            pairs = zip(words_BT.tolist(), lengths_B.tolist(), strict=True)
            return [self.encoding.target.text(row[:length]) for row, length in pairs]
        outputs = self.model(batch)
        match self.encoding.kind.name:
            case "classify":
                return [names[each] for each in task.predict(outputs).tolist()]
            case "multilabel":
                rows = task.predict(outputs).tolist()
                return [[name for name, yes in zip(names, row, strict=True) if yes] for row in rows]
            case "regress":
                numbers = self.encoding.unscaled(task.predict(outputs)).tolist()
                return [row[0] if len(row) == 1 else row for row in numbers]
            case _:
                assert batch.text is not None
                rows = task.predict(outputs, batch.text.lengths).tolist()
                return [[names[each] for each in row if each >= 0] for row in rows]

    def save(self, folder: str | Path) -> None:
        """Write the folder; `load` reads it back."""
        path = Path(folder)
        path.mkdir(parents=True, exist_ok=True)
        with drafted(path / _WEIGHTS) as draft:
            write_weights(self.model.state_dict(), draft)
        about = {"format": FORMAT, "sizes": self.sizes, "encoding": self.encoding.state()}
        publish_text(path / _ABOUT, json.dumps(about, ensure_ascii=False, indent=1) + "\n")

    @classmethod
    def load(cls, folder: str | Path) -> Trained:
        """A folder that `save` wrote."""
        path = Path(folder)
        try:
            about = json.loads((path / _ABOUT).read_text(encoding="utf-8"))
        except FileNotFoundError as error:
            raise UserError("WS986", "no_result", folder=str(folder)) from error
        except (OSError, ValueError) as error:
            raise UserError("WS987", "broken_checkpoint", folder=str(folder)) from error
        try:
            encoding, sizes = Encoding.from_state(about["encoding"]), about["sizes"]
            model = RowsModel(encoding, **sizes)
            model.load_state_dict(read_weights(path / _WEIGHTS))
        except (KeyError, TypeError, RuntimeError) as error:
            raise UserError("WS987", "broken_checkpoint", folder=str(folder)) from error
        return cls(encoding, model.eval(), sizes)
