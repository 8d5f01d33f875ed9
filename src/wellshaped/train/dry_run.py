"""The step of a training command in a small program, for `wellshaped check` to run.

Check looks at the lines of a program and at what they call. This one makes what the command
makes, the task or the learner itself, and takes its very step on its own batches: nothing of the
step is written again here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torch import Tensor

from wellshaped.train import rollout, supervised
from wellshaped.train.algorithms import algorithms
from wellshaped.train.distributed.processes import Accelerator, join
from wellshaped.train.distributed.stepper import stepper
from wellshaped.train.events import EventSink, discard
from wellshaped.train.loop_settings import LoopSettings
from wellshaped.train.optimizer import adamw
from wellshaped.train.rl.objective import Counts
from wellshaped.train.supervised_algorithm import SupervisedAlgorithm
from wellshaped.train.tasks.fit import prepare as prepare_task
from wellshaped.train.tasks.functions import make_plan
from wellshaped.train.tasks.kinds import KINDS
from wellshaped.train.training_task import TrainingTask

_PROGRAM = '''\
"""What `wellshaped train {kind}` does with each batch."""

from torch.utils.data import DataLoader

from wellshaped.train.dry_run import rehearse

training = rehearse({options})

for batch in DataLoader(range(training.rows), batch_size={batch}, collate_fn=training.load):
    loss = training.loss(batch)
    loss.backward()
    training.update()
'''


@dataclass(frozen=True)
class Rehearsal:
    """The step of a training command: its rows, their batches, its loss, and the update by it."""

    rows: int
    batch: int
    load: Callable[[Sequence[int]], Any]
    loss: Callable[[Any], Tensor]
    update: Callable[[], Any]


def program_text(kind: str, *, tell: EventSink, skip_bad_rows: bool = False, **options: Any) -> str:
    """The source of the program, once its data was read as a run would read it."""
    found = rehearse(kind, skip_bad_rows=skip_bad_rows, tell=tell, **options)
    # What is bad was reported: the program leaves it out.
    given = {"kind": kind, "skip_bad_rows": True, **options}
    written = ", ".join(f"{name}={_plain(value)!r}" for name, value in given.items())
    return _PROGRAM.format(kind=kind, options=written, batch=found.batch)


def rehearse(
    kind: str, *, skip_bad_rows: bool = False, tell: EventSink = discard, **options: Any
) -> Rehearsal:
    """What the command of this kind makes of its options, up to its first step."""
    if kind in KINDS:
        plan, settings = make_plan(kind, skip_bad_rows=skip_bad_rows, **options)
        _, task, _ = prepare_task(plan, settings, tell=tell)
        return _of_task(task, settings, batch=plan.batch)
    if kind in algorithms(SupervisedAlgorithm):
        return _of_supervised(kind, skip=skip_bad_rows, tell=tell, **options)
    return _of_rollout(kind, skip=skip_bad_rows, tell=tell, **options)


def _of_supervised(
    method: str, *, model: Any, data: Any, skip: bool, tell: EventSink, **settings: Any
) -> Rehearsal:
    chosen = supervised.supervised_settings(method, settings, is_new=model is None)
    prepared = chosen.prepare(model, data, None, skip=skip, tell=tell)
    accelerator = join(precision=chosen.loop.precision)
    task = prepared.task(accelerator, discard)
    return _of_task(task, chosen.loop, batch=chosen.batch, accelerator=accelerator)


def _of_task(
    task: TrainingTask,
    settings: LoopSettings,
    *,
    batch: int,
    accelerator: Accelerator | None = None,
) -> Rehearsal:
    processes = accelerator or join(precision=settings.precision)
    steps = stepper(processes, task.model, adamw(task.model, settings), clip=settings.clip)
    steps.model.train()

    def loss(given: Any) -> Tensor:
        with processes.autocast():
            return task.step(steps.model, given).mean

    return Rehearsal(task.batches.rows, batch, task.batches.load, loss, steps.step)


def _of_rollout(
    method: str, *, model: Any, data: Any, reward: Any, skip: bool, tell: EventSink, **settings: Any
) -> Rehearsal:
    chosen = rollout.rollout_settings(method, settings)
    accelerator = join(precision=chosen.precision)
    learner, _, _ = rollout.prepare(
        model, data, reward, None, chosen, accelerator, skip=skip, tell=tell
    )

    def loss(prompts: Sequence[int]) -> Tensor:
        groups = [prompt for prompt in prompts for _ in range(chosen.samples)]
        experience = learner.experience(groups, 0)
        counts = Counts.of(experience, list(range(len(groups))))
        return learner.step.loss(experience, counts)[0]

    batch = max(chosen.minibatch // chosen.samples, 1)
    return Rehearsal(learner.prompt_count, batch, list, loss, learner.stepper.step)


def _plain(value: Any) -> Any:
    """Names of files as text; a program has no `Path` of its own."""
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return str(value) if isinstance(value, Path) else value
