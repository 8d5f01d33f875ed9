"""An update of a policy as a program of its own, for `wellshaped check` to run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from wellshaped.train.distributed.processes import join
from wellshaped.train.dry import program_of
from wellshaped.train.events import EventSink, discard
from wellshaped.train.rl.data import Data
from wellshaped.train.rl.experience import Experience, experience_of
from wellshaped.train.rl.learner import Learner
from wellshaped.train.rl.objective import Counts
from wellshaped.train.rl.run import prepared
from wellshaped.train.rl.settings import run_settings

_PROGRAM = '''\
"""What `wellshaped train METHOD` does with the responses of a step."""

from torch.utils.data import DataLoader

from wellshaped.train.rl.dry import pieces
from wellshaped.train.rl.objective import objective

learner, written, counted = pieces({options})

for prompts in DataLoader(range(learner.learned), batch_size={batch}, collate_fn=list):
    experience = written(prompts)
    output = learner.stepper.model(experience.batch, entropy="learned")
    loss, _ = objective(output, experience, counted(experience), learner.settings)
    loss.backward()
    learner.stepper.step()
'''


def program_text(
    model: str | Path,
    data: Data,
    reward: str | Path,
    *,
    skip: bool,
    tell: EventSink,
    **settings: Any,
) -> str:
    """The source of the program, after its data was read as a run would read it."""
    chosen = run_settings(settings)
    prepared(model, data, reward, None, chosen, join(), skip=skip, tell=tell)
    size = chosen.learning.minibatch
    options = {"model": model, "data": data, "reward": reward, **settings}
    text = _PROGRAM.replace("METHOD", chosen.learning.method)
    return program_of(text, options, batch=size)


def pieces(*, model: str, data: Any, reward: str, **settings: Any) -> tuple[Learner, Any, Any]:
    """What the program needs, as the command makes it; rows that are bad are left out."""
    chosen = run_settings(settings)
    learner, _, _ = prepared(model, data, reward, None, chosen, join(), skip=True, tell=discard)

    def written(prompts: list[int]) -> Experience:
        """Responses to these prompts, with their scores and advantages."""
        judged = learner.score(learner.generate(prompts, 0))
        return experience_of(judged, chosen.learning, learner.coefficient.value)

    def counted(experience: Experience) -> Counts:
        return Counts.of(experience, list(range(len(experience.scored))))

    return learner, written, counted
