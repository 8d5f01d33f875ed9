"""A callback for the `Trainer` of transformers: checks before the first step, guards during.

trainer = Trainer(…)
trainer.add_callback(ShapeCallback(trainer))
trainer.train()
"""

from __future__ import annotations

from typing import Any

from wellshaped.contracts.call import BadCall
from wellshaped.integrations.extras import need
from wellshaped.integrations.first_step import OnHazard, checked_ahead
from wellshaped.observe import guard

need("transformers", extra="huggingface")

from transformers import TrainerCallback  # noqa: E402 - after the message that says how to get it


class ShapeCallback(TrainerCallback):  # type: ignore[misc]
    """Tries the first step at several batch sizes, then judges the losses of every step.

    Steps of evaluation are judged too. `on_hazard` is "raise" (a `ShapeMismatch`) or "warn" (a
    `ShapeWarning`). It holds the trainer, since its own step, `compute_loss` and all, is what is
    checked: callbacks are handed neither.
    """

    def __init__(self, trainer: Any, on_hazard: OnHazard = "raise") -> None:
        if on_hazard not in ("raise", "warn"):
            raise BadCall("WS914", f'on_hazard is "raise" or "warn", not {on_hazard!r}')
        self.trainer = trainer
        self.on_hazard: OnHazard = on_hazard

    def on_train_begin(self, *_: Any, **__: Any) -> None:
        """Stand before the trainer's steps, those of evaluation too, as long as it trains."""
        self.on_train_end()  # of a training that ended by an exception
        trainer, watch = self.trainer, guard(self.on_hazard)
        train, predict = trainer.training_step, trainer.prediction_step
        first = True

        def training_step(model: Any, inputs: Any, *rest: Any, **named: Any) -> Any:
            nonlocal first
            if first:
                first = False
                checked_ahead(lambda batch: train(model, batch, *rest, **named), inputs, watch)
            with watch:
                return train(model, inputs, *rest, **named)

        def prediction_step(*given: Any, **named: Any) -> Any:
            with watch:
                return predict(*given, **named)

        trainer.training_step, trainer.prediction_step = training_step, prediction_step

    def on_train_end(self, *_: Any, **__: Any) -> None:
        """Leave the trainer as it was."""
        for name in ("training_step", "prediction_step"):
            vars(self.trainer).pop(name, None)
