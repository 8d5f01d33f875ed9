"""The whole way from demonstrations over preferences to a policy, by one small configuration."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from wellshaped.files.room import require_folder
from wellshaped.records.phrase import Phrase, UserError
from wellshaped.report.narrator import Narrator
from wellshaped.train import toy_task
from wellshaped.train.artifacts.run_folder import is_finished
from wellshaped.train.artifacts.trained_model import TrainedModel
from wellshaped.train.events import EventSink
from wellshaped.train.rollout import train_policy
from wellshaped.train.supervised import train_reward, train_sft

_STAGES = ("sft", "reward", "policy")
_TOP = ("model", "seed", *_STAGES)


@dataclass(frozen=True, kw_only=True)
class RlhfPlan:
    """What each stage is given: the options of `train_sft`, `train_reward` and `train_policy`.

    Without `data` for demonstrations the policy starts from `model` itself; with a `reward` of
    its own the policy needs no reward model to be trained.
    """

    model: str | None = None
    seed: int = 0
    sft: Mapping[str, Any] = field(default_factory=dict)
    reward: Mapping[str, Any] = field(default_factory=dict)
    policy: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if "data" not in self.sft and self.model is None:
            raise UserError("WS999", "plan_lacks", stage="sft", name="data")
        if "data" not in self.reward and "reward" not in self.policy:
            raise UserError("WS999", "plan_lacks", stage="reward", name="data")
        if "data" not in self.policy:
            raise UserError("WS999", "plan_lacks", stage="policy", name="data")


def default_plan(seed: int = 0) -> RlhfPlan:
    """Reviews, generated here: a small model learns to write good ones."""
    learned, held_out = toy_task.prompts(seed)
    return RlhfPlan(
        seed=seed,
        sft={"data": toy_task.demonstrations(seed), **toy_task.SFT},
        reward={"data": toy_task.preferences(seed), **toy_task.REWARD},
        policy={"data": learned, "held_out": held_out, **toy_task.POLICY},
    )


def read_plan(path: str | Path) -> RlhfPlan:
    """A plan from a TOML or JSON file; names of files in it are relative to it."""
    file = Path(path)
    try:
        text = file.read_text(encoding="utf-8")
        found = json.loads(text) if file.suffix == ".json" else tomllib.loads(text)
    except (OSError, ValueError) as error:
        raise UserError("WS999", "plan_unreadable", file=str(file), error=str(error)) from error
    for name in found:
        if name not in _TOP:
            raise UserError("WS999", "plan_unknown", name=name, known=", ".join(_TOP))
    for stage in _STAGES:
        found[stage] = _placed(found.get(stage, {}), file.parent)
    return RlhfPlan(**found)


def rlhf(
    plan: RlhfPlan,
    *,
    out: str | Path,
    resume: bool = False,
    threads: int | None = None,
    tell: EventSink | None = None,
) -> TrainedModel | None:
    """Demonstrations, preferences, policy: each stage in a folder of its own below `out`.

    A stage that is whole is not done again with `resume`. `threads` are those of torch. None after
    an interrupt.
    """
    if threads is not None:
        torch.set_num_threads(threads)
    folder, tell = Path(out), tell or Narrator()
    require_folder(folder, inner=_STAGES)
    start: str | Path | None = plan.model
    if "data" in plan.sft:
        start = folder / "sft"
        if not _stage("sft", train_sft, (plan.model,), plan, start, resume=resume, tell=tell):
            return None
    assert start is not None
    reward: Any = plan.policy.get("reward", folder / "reward")
    if "reward" not in plan.policy:
        given = (plan.reward.get("model", start),)
        if not _stage("reward", train_reward, given, plan, reward, resume=resume, tell=tell):
            return None
    tell(Phrase("stage_policy", {}))
    options = _options(plan, "policy")
    data = options.pop("data")
    options.pop("reward", None)
    return train_policy(
        start, data, reward, out=folder / "policy", resume=resume, tell=tell, **options
    )


def _stage(
    name: str,
    train: Any,
    given: tuple[Any, ...],
    plan: RlhfPlan,
    out: Path,
    *,
    resume: bool,
    tell: EventSink,
) -> bool:
    """One stage, unless it is done already; false if it was interrupted."""
    if resume and is_finished(out):
        tell(Phrase("stage_done", {"stage": name}))
        return True
    tell(Phrase(f"stage_{name}", {}))
    options = _options(plan, name)
    options.pop("model", None)
    data = options.pop("data")
    ended = train(*given, data, out=out, resume=resume, tell=tell, **options).ended
    return bool(ended.how != "interrupted")


def _options(plan: RlhfPlan, stage: str) -> dict[str, Any]:
    return {"seed": plan.seed, **getattr(plan, stage)}


def _placed(options: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The options with the names of files as seen from the folder of the plan."""
    made = dict(options)
    for name in ("data", "held_out"):
        if name in made:
            files = made[name] if isinstance(made[name], list) else [made[name]]
            made[name] = [str(folder / file) for file in files]
    return made
