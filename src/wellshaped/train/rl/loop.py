"""The loop of policy learning: updates one after the other, and what is due between them."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wellshaped.files.room import require_room
from wellshaped.files.whole import append_text, publish_text
from wellshaped.records.training.progress import Ended, How, Step
from wellshaped.records.training.samples import Sample, Samples
from wellshaped.train.artifacts.checkpoint import Checkpoints, size_of
from wellshaped.train.artifacts.curve_files import keep_curves
from wellshaped.train.artifacts.run_folder import CHECKPOINTS, run_files
from wellshaped.train.artifacts.track import TABLES, Track
from wellshaped.train.distributed.processes import on_first_process, sum_over_processes
from wellshaped.train.events import EventSink
from wellshaped.train.loop import resume_note
from wellshaped.train.rl.experience import Experience
from wellshaped.train.rl.learner import Learner
from wellshaped.train.rollout_algorithm import RolloutAlgorithm
from wellshaped.train.stop_request import stop_on_interrupt

_TEXTS = 3
_SHOWN = ("score", "kl", "entropy", "length", "value_loss", "clip_fraction")
_SHOWN_EVALUATED = ("score", "kl", "length", "ended")


class PolicyLoop:
    """Updates one after the other, and what is due between them."""

    def __init__(
        self,
        learner: Learner,
        settings: RolloutAlgorithm,
        folder: Path,
        marks: Mapping[str, Any],
        *,
        tell: EventSink,
    ) -> None:
        self.learner, self.settings, self.folder, self.tell = learner, settings, folder, tell
        self.accelerator = learner.accelerator
        self.updates = settings.updates
        self.checkpoints = Checkpoints(folder / CHECKPOINTS, marks=marks, keep=settings.keep)
        self.track = Track(folder / TABLES, accelerator=self.accelerator, run="policy")
        self.values: dict[str, float] = {}
        self._begun = (0, 0.0)

    def run(self, *, resume: bool = False) -> Ended:
        """Update until all updates are done, or somebody asks to stop."""
        on_first_process(self.accelerator, lambda: require_room(self.folder, self._size()))
        with run_files(self.folder):
            return self._run(resume=resume)

    def _size(self) -> int:
        return size_of(self.learner.core, trained_only=bool(self.settings.lora))

    def _run(self, *, resume: bool) -> Ended:
        begun = resume and self._go_on()
        if resume:
            self.tell(resume_note(self.learner.done))
        if self.accelerator.is_main_process:
            self.track.cut(self.learner.done if begun else 0)
            self._cut_texts(self.learner.done if begun else -1)
        if not begun:
            self.learner.begin()
            self._evaluate()
        self._begun = (self.learner.done, time.monotonic())
        self._tell_refused()
        how: How = "finished"
        with stop_on_interrupt() as stop:
            while self.learner.done < self.updates and how == "finished":
                how = "interrupted" if self._advance(bool(stop)) else "finished"
        self.track.end()
        if self.accelerator.is_main_process:
            keep_curves(self.track, self.folder)
        return Ended(how, self.learner.done, self.learner.done, dict(self.values))

    def _tell_refused(self) -> None:
        """Say why texts are padded, where they are; no text is longer than what is tried here."""
        learner = self.learner
        with learner.whole():
            learner.writer.packs(learner.longest)
        if learner.writer.refused is not None:
            self.tell(learner.writer.refused)

    def _advance(self, stop_requested: bool) -> bool:
        """One update, and what is due after it; whether the run is to end here."""
        _, shown = self.learner.update()
        self._report("train", shown)
        wanted = sum_over_processes(self.accelerator, {"stop": float(stop_requested)})["stop"] > 0
        score = None
        if self._is_due(self.settings.evaluate_every):
            score = self._evaluate()
        if score is not None or wanted or self._is_due(self.settings.save_every):
            self._save(score)
        return wanted and self.learner.done < self.updates

    def _is_due(self, every: int) -> bool:
        return self.learner.done % every == 0 or self.learner.done == self.updates

    def _evaluate(self) -> float | None:
        """Scores, KL and texts of the prompts that are held out; nothing without any."""
        if self.learner.prompt_count == len(self.learner.prompts):
            return None
        experience, self.values = self.learner.evaluate()
        self._report("evaluation", self.values, evaluated=True)
        if self.accelerator.is_main_process:
            texts = samples_of(experience, self.learner)
            self.tell(Samples(self.learner.done, texts[:_TEXTS]))
            self._write_texts(texts)
        return self.values["reward"] - self.values["kl_coefficient"] * self.values["kl"]

    def _report(self, table: str, shown: Mapping[str, float], *, evaluated: bool = False) -> None:
        if not self.accelerator.is_main_process:
            return
        step = self.learner.done
        self.track.write(table, step, shown)
        left = None
        if not evaluated:
            first, since = self._begun
            pace = (time.monotonic() - since) / max(step - first, 1)
            left = pace * (self.updates - step)
        names = _SHOWN_EVALUATED if evaluated else _SHOWN
        values = {name: shown[name] for name in names if name in shown}
        self.tell(Step(step, self.updates, float(step), values, left, evaluated))

    def _save(self, score: float | None) -> None:
        weights = self.learner.stepper.weights()
        state = {**self.learner.state(), "values": self.values}
        if self.accelerator.is_main_process:
            if self.settings.lora:
                named = self.learner.core.named_parameters()
                weights = {name: weights[name] for name, one in named if one.requires_grad}
            self.checkpoints.save(self.learner.done, state=state, weights=weights, score=score)
        self.accelerator.wait_for_everyone()

    def _go_on(self) -> bool:
        """Take up the newest checkpoint; a run that was killed before its first begins anew."""
        found = self.checkpoints.newest()
        if found is None:
            return False
        state = found.state()
        self.learner.stepper.load(found.weights(), strict=not self.settings.lora)
        self.values = state.pop("values")
        self.learner.restore(state)
        return True

    def _write_texts(self, texts: tuple[Sample, ...]) -> None:
        lines = []
        for one in texts:
            fields = {"step": self.learner.done, "prompt": one.prompt, "score": one.score}
            fields |= {"response": one.response, "kl": one.kl}
            lines.append(json.dumps(fields, ensure_ascii=False) + "\n")
        append_text(self.folder / "samples.jsonl", "".join(lines))

    def _cut_texts(self, step: int) -> None:
        """Keep the texts up to a step: the run goes on from there."""
        path = self.folder / "samples.jsonl"
        if path.exists():
            lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
            whole = [line for line in lines if line.endswith("\n")]
            publish_text(path, "".join(line for line in whole if json.loads(line)["step"] <= step))


def samples_of(experience: Experience, learner: Learner) -> tuple[Sample, ...]:
    """The texts of an experience, as records."""
    found = []
    for one, kl in zip(experience.scored, experience.kl_B.tolist(), strict=True):
        prompt = learner.prompts[one.response.group].text
        found.append(Sample(prompt, one.text[len(prompt) :], one.score, kl))
    return tuple(found)
