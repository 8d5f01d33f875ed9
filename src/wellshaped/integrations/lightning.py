"""A callback for the `Trainer` of Lightning: checks before the first step, guards during.

trainer = Trainer(callbacks=[ShapeCallback()])
trainer.fit(model, loader)
"""

from __future__ import annotations

from typing import Any

from wellshaped.contracts.call import BadCall
from wellshaped.integrations.extras import need
from wellshaped.integrations.first_step import OnHazard, checked_ahead
from wellshaped.observe import guard

need("lightning", extra="lightning")

from lightning.pytorch.callbacks import Callback  # noqa: E402 - after the message how to get it


class ShapeCallback(Callback):
    """Tries the first step at several batch sizes, then judges the losses of the whole fit.

    `on_hazard` is "raise" (a `ShapeMismatch`) or "warn" (a `ShapeWarning`).
    """

    def __init__(self, on_hazard: OnHazard = "raise") -> None:
        if on_hazard not in ("raise", "warn"):
            raise BadCall("WS914", f'on_hazard is "raise" or "warn", not {on_hazard!r}')
        self.on_hazard: OnHazard = on_hazard
        self._watch: guard | None = None
        self._checked = False

    def on_fit_start(self, trainer: Any, pl_module: Any) -> None:
        """Judge the losses from here on, those of validation too."""
        self._leave()
        self._checked = False
        self._watch = guard(self.on_hazard, everywhere=True)
        self._watch.__enter__()

    def on_train_batch_start(
        self, trainer: Any, pl_module: Any, batch: Any, batch_idx: int
    ) -> None:
        """Try the first step of all before it is taken."""
        if self._checked:
            return
        self._checked = True

        def step(given: Any) -> None:
            found = trainer.strategy.training_step(given, batch_idx)
            loss = found["loss"] if isinstance(found, dict) else found
            if pl_module.automatic_optimization and loss is not None:
                loss.backward()

        checked_ahead(step, batch, self._watch or guard(self.on_hazard))

    def on_fit_end(self, trainer: Any, pl_module: Any) -> None:
        """Judge no more."""
        self._leave()

    def on_exception(self, trainer: Any, pl_module: Any, exception: BaseException) -> None:
        """Judge no more, however the fit ends."""
        self._leave()

    def _leave(self) -> None:
        watch, self._watch = self._watch, None
        if watch is not None:
            watch.__exit__()
