"""Training that is well shaped: data, reward models and policies, on `transformers` models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wellshaped.train.artifacts.trained_model import TrainedModel as TrainedModel
    from wellshaped.train.reward.model import RewardModel as RewardModel
    from wellshaped.train.reward.scoring import Scorer as Scorer
    from wellshaped.train.rl.learner import Learner as Learner
    from wellshaped.train.rlhf_run import rlhf as rlhf
    from wellshaped.train.rollout import train_policy as train_policy
    from wellshaped.train.supervised import train_reward as train_reward
    from wellshaped.train.supervised import train_sft as train_sft
    from wellshaped.train.supervised import train_supervised as train_supervised
    from wellshaped.train.tasks.functions import classify as classify
    from wellshaped.train.tasks.functions import multilabel as multilabel
    from wellshaped.train.tasks.functions import regress as regress
    from wellshaped.train.tasks.functions import seq2seq as seq2seq
    from wellshaped.train.tasks.functions import tag as tag
    from wellshaped.train.tasks.result import Trained as Trained

_TASKS = ("classify", "multilabel", "regress", "seq2seq", "tag")
_SUPERVISED = ("train_reward", "train_sft", "train_supervised")

__all__ = [
    "Learner",
    "RewardModel",
    "Scorer",
    "Trained",
    "TrainedModel",
    "classify",
    "multilabel",
    "regress",
    "rlhf",
    "seq2seq",
    "tag",
    "train_policy",
    "train_reward",
    "train_sft",
    "train_supervised",
]


def __getattr__(name: str) -> Any:
    """Load a name when it is first asked for: each brings what it needs, and no more."""
    if name in _TASKS:
        from wellshaped.train.tasks import functions

        return getattr(functions, name)
    if name in _SUPERVISED:
        from wellshaped.train import supervised

        return getattr(supervised, name)
    if name == "train_policy":
        from wellshaped.train.rollout import train_policy

        return train_policy
    if name == "rlhf":
        from wellshaped.train.rlhf_run import rlhf

        return rlhf
    return _record(name)


def _record(name: str) -> Any:
    match name:
        case "Learner":
            from wellshaped.train.rl.learner import Learner

            return Learner
        case "RewardModel":
            from wellshaped.train.reward.model import RewardModel

            return RewardModel
        case "Scorer":
            from wellshaped.train.reward.scoring import Scorer

            return Scorer
        case "Trained":
            from wellshaped.train.tasks.result import Trained

            return Trained
        case "TrainedModel":
            from wellshaped.train.artifacts.trained_model import TrainedModel

            return TrainedModel
    raise AttributeError(f"module 'wellshaped.train' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
