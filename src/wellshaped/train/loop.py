"""The supervised loop: any model, any batches, one step function; the rest is done here.

One step of the optimizer takes a window of the plan: `accumulate` batches for each process. Losses
come as sums with the number of their elements, and gradients are divided by the number of all
elements of the window, in all processes: eight batches of one are one batch of eight.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import torch
from accelerate.utils import gather_object, send_to_device
from torch import Tensor, nn

from wellshaped.observe import guard
from wellshaped.records.phrase import Phrase, UserError
from wellshaped.records.training.progress import Ended, How, Step
from wellshaped.train.artifacts.checkpoint import Checkpoints
from wellshaped.train.artifacts.track import Track
from wellshaped.train.distributed.processes import Accelerator, sum_over_processes
from wellshaped.train.distributed.stepper import stepper
from wellshaped.train.events import EventSink, discard
from wellshaped.train.loop_settings import LoopSettings
from wellshaped.train.optimizer import adamw
from wellshaped.train.randomness import random_state, restore_random_state, seed_all
from wellshaped.train.stop_request import StopRequest, stop_on_interrupt
from wellshaped.train.training_task import StepResult, TrainingTask

_RECENT = 20


@dataclass
class Position:
    """Where a run is; all of it is in every checkpoint."""

    step: int = 0
    epoch: int = 0
    window: int = 0
    best: float | None = None
    best_step: int = 0
    since_best: int = 0
    evaluated: int = 0
    scale: float = 1.0


class Loop:
    """One run: make it, `run` it, and the model holds the best weights that were seen."""

    def __init__(
        self,
        task: TrainingTask,
        settings: LoopSettings,
        *,
        accelerator: Accelerator,
        checkpoints: Checkpoints | None = None,
        track: Track | None = None,
        tell: EventSink = discard,
    ) -> None:
        self.task, self.settings, self.accelerator = task, settings, accelerator
        self.checkpoints, self.track, self.tell = checkpoints, track, tell
        self.at = Position()
        optimizer = adamw(task.model, settings)
        self.stepper = stepper(accelerator, task.model, optimizer, clip=settings.clip)
        self._recent: deque[tuple[float, int]] = deque(maxlen=_RECENT)
        self._values: dict[str, float] = {}
        self._best_weights: dict[str, Tensor] | None = None
        self._session = (0, 0.0)
        self._width: int = settings.accumulate * accelerator.num_processes
        self._plan: Sequence[Any] = ()
        self.steps = 0

    def run(self, *, resume: bool = False) -> Ended:
        """Train from the start, or from the newest checkpoint; end with the best weights."""
        seed_all(self.settings.seed + 1_000_003 * self.accelerator.process_index)
        if resume:
            self._go_on()
            self.tell(resume_note(self.at.step))
        if self.track is not None and self.accelerator.is_main_process:
            self.track.cut(self.at.step)
        self._plan = self.task.batches.plan(self.at.epoch)
        self.steps = self.settings.steps or self._windows() * self.settings.epochs
        self._session = (self.at.step, time.monotonic())
        with stop_on_interrupt() as stop:
            how = self._epochs(stop)
        if how != "interrupted":
            self._restore_best()
        self.stepper.release()
        values, patience = dict(self._values), self.settings.patience
        return Ended(how, self.at.step, self.at.best_step, values, patience=patience)

    def trained(self) -> nn.Module:
        """The model with whole weights, for the first process; all must ask for it."""
        return self.stepper.trained()

    def _epochs(self, stop: StopRequest) -> How:
        while self.at.step < self.steps:
            if self._has_enough():
                return "stopped early"
            if self.at.window >= self._windows():
                self.at.epoch, self.at.window = self.at.epoch + 1, 0
                self._plan = self.task.batches.plan(self.at.epoch)
            if self._advance(stop):
                return "interrupted"
        return "finished"

    def _has_enough(self) -> bool:
        return 0 < self.settings.patience <= self.at.since_best

    def _advance(self, stop: StopRequest) -> bool:
        """One step, and what is due after it; whether the run is to end here."""
        wanted = self._step(self._window(), stop)
        self.at.window += 1
        score = None
        if self.task.evaluate is not None and self._is_due(self.settings.evaluate_every):
            score = self._evaluate(self.task.evaluate)
        if score is not None or wanted or self._is_due(self.settings.save_every):
            self._save(score)
        return wanted

    def _is_due(self, every: int) -> bool:
        if self.at.step >= self.steps:
            return True
        return self.at.step % every == 0 if every else self.at.window >= self._windows()

    def _windows(self) -> int:
        """The steps of this epoch."""
        if not self._plan:
            raise UserError("WS984", "no_rows_left", rows=0)
        return math.ceil(len(self._plan) / self._width)

    def _window(self) -> list[tuple[Any, float]]:
        """The keys of this process, with weight 1; one of weight 0 where it has one fewer."""
        world, rank = self.accelerator.num_processes, self.accelerator.process_index
        first = self.at.window * self._width
        keys = self._plan[first : first + self._width]
        mine = [(key, 1.0) for key in keys[rank::world]]
        if len(mine) < math.ceil(len(keys) / world):
            mine.append((keys[0], 0.0))
        return mine

    def _step(self, window: list[tuple[Any, float]], stop: StopRequest) -> bool:
        """One step of the optimizer over a window; whether some process was asked to end."""
        began = time.monotonic()
        self.stepper.model.train()
        sums: dict[str, float] = {"loss": 0.0, "count": 0.0, "tokens": 0.0, "computed": 0.0}
        for place, (key, weight) in enumerate(window):
            is_last = place == len(window) - 1
            with self.stepper.part(is_last=is_last):
                self._add(sums, self._backward(key, weight), weight)
        all_sums = sum_over_processes(self.accelerator, {**sums, "stop": float(bool(stop))})
        wanted = all_sums.pop("stop") > 0
        count = all_sums["count"]
        norm = self._update(count)
        self.at.step += 1
        self.at.scale = 2.0 ** round(math.log2(max(count, 1.0)))
        shown = self._shown(all_sums, norm, seconds=time.monotonic() - began)
        if not math.isfinite(shown["loss"]) and self.accelerator.mixed_precision != "fp16":
            raise UserError("WS989", "loss_not_finite", step=self.at.step)
        self._report(shown)
        return wanted

    def _backward(self, key: Any, weight: float) -> StepResult:
        batch = send_to_device(self.task.batches.load(key), self.accelerator.device)
        with guard(), self.accelerator.autocast():
            made = self.task.step(self.stepper.model, batch)
        # A power of two: it keeps float16 in range and, elsewhere, changes no bit.
        self.stepper.backward(made.loss * (weight / self.at.scale))
        return made

    def _add(self, sums: dict[str, float], made: StepResult, weight: float) -> None:
        found: dict[str, Tensor | float] = {"loss": made.loss, "count": made.count}
        found |= {"tokens": made.tokens, "computed": made.computed, **made.sums}
        if made.shared is not None:
            found["shared"] = made.shared
        for name, value in found.items():
            plain = value.item() if isinstance(value, Tensor) else value
            sums[name] = sums.get(name, 0.0) + weight * plain

    def _update(self, count: float) -> float:
        """Divide the gradients by the number of elements, clip them, and take the step."""
        rate = self.settings.learning_rate * self.settings.factor(self.at.step, self.steps)
        for group in self.stepper.groups:
            group["lr"] = rate
        if not count:
            self.stepper.drop()
            return 0.0
        return self.stepper.step(self.at.scale * self.accelerator.num_processes / count)

    def _shown(self, sums: dict[str, float], norm: float, *, seconds: float) -> dict[str, float]:
        count, tokens = sums.pop("count"), sums.pop("tokens")
        computed, shared = sums.pop("computed"), sums.pop("shared", None)
        shown = {name: value / max(count, 1e-12) for name, value in sums.items()}
        shown["learning_rate"] = self.stepper.groups[0]["lr"]
        shown["gradient_norm"] = norm
        self._recent.append((seconds, int(tokens)))
        if computed:
            spent = sum(each for each, _ in self._recent)
            shown["tokens_per_second"] = sum(each for _, each in self._recent) / max(spent, 1e-9)
            shown["padding"] = 1.0 - (tokens - (shared or 0.0)) / computed
            if shared is not None:
                shown["shared"] = shared / tokens
        return shown

    def _report(self, shown: Mapping[str, float], *, evaluated: bool = False) -> None:
        if not self.accelerator.is_main_process:
            return
        begun, since = self._session
        pace = (time.monotonic() - since) / max(self.at.step - begun, 1)
        done = self.at.window + (0 if evaluated else 1)
        epoch = self.at.epoch + done / self._windows()
        if self.track is not None:
            name = "evaluation" if evaluated else "train"
            self.track.write(name, self.at.step, {"epoch": epoch, **shown})
        left = pace * (self.steps - self.at.step)
        self.tell(Step(self.at.step, self.steps, epoch, dict(shown), left, evaluated))

    def _evaluate(self, evaluate: Callable[[nn.Module], Mapping[str, float]]) -> float:
        """Evaluate, and note whether it is the best so far."""
        self.stepper.model.eval()
        with torch.no_grad(), guard(), self.accelerator.autocast():
            values = dict(evaluate(self.stepper.model))
        score = values.get(self.settings.watch)
        if score is None:
            known = ", ".join(values)
            raise UserError("WS988", "no_such_metric", name=self.settings.watch, known=known)
        sign = 1 if self.settings.better == "higher" else -1
        is_better = self.at.best is None or sign * score > sign * self.at.best
        self.at.since_best = 0 if is_better else self.at.since_best + 1
        if is_better:
            self.at.best, self.at.best_step, self._values = score, self.at.step, values
            if self.checkpoints is None:
                weights = self.stepper.weights()
                self._best_weights = {name: each.clone() for name, each in weights.items()}
        self._report(values, evaluated=True)
        return score

    def _save(self, score: float | None) -> None:
        if self.checkpoints is None:
            return
        weights, optimizer = self.stepper.weights(), self.stepper.optimizer_state()
        randoms = gather_object([random_state()])
        if self.accelerator.is_main_process:
            scaler = self.accelerator.scaler
            state = {
                "position": asdict(self.at),
                "values": self._values,
                "optimizer": optimizer,
                "random": randoms,
                "scaler": None if scaler is None else scaler.state_dict(),
            }
            self.checkpoints.save(
                self.at.step, state=state, weights=weights, write=self.task.write, score=score
            )
        self.accelerator.wait_for_everyone()

    def _go_on(self) -> None:
        """Take up the newest checkpoint; a run that was killed before its first begins anew."""
        found = self.checkpoints.newest() if self.checkpoints is not None else None
        if found is None:
            return
        state = found.state()
        if len(state["random"]) != self.accelerator.num_processes:
            then, now = len(state["random"]), self.accelerator.num_processes
            raise UserError(
                "WS985", "other_processes", folder=str(found.folder), then=then, now=now
            )
        self.stepper.load(found.weights())
        self.stepper.load_optimizer(state["optimizer"])
        if state["scaler"] is not None and self.accelerator.scaler is not None:
            self.accelerator.scaler.load_state_dict(state["scaler"])
        self.at = Position(**state["position"])
        self._values = state["values"]
        restore_random_state(state["random"][self.accelerator.process_index])

    def _restore_best(self) -> None:
        if self.checkpoints is None:
            if self._best_weights is not None:
                self.stepper.load(self._best_weights)
            return
        best = self.checkpoints.best()
        if best is not None and best.step != self.at.step:
            self.stepper.load(best.weights())


def resume_note(step: int) -> Phrase:
    """What a run that was to go on says of where it does."""
    return Phrase("run_goes_on", {"step": step}) if step else Phrase("run_begins", {})
