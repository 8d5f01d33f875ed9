"""Training that is well shaped: data, reward models and policies, on `transformers` models."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wellshaped.train.reward.model import RewardModel as RewardModel
    from wellshaped.train.reward.run import TrainedReward as TrainedReward
    from wellshaped.train.reward.run import train_reward as train_reward
    from wellshaped.train.reward.scoring import Scorer as Scorer
    from wellshaped.train.rl.learner import Learner as Learner
    from wellshaped.train.rl.run import train_policy as train_policy
    from wellshaped.train.rl.run_sft import train_sft as train_sft
    from wellshaped.train.rlhf import rlhf as rlhf
    from wellshaped.train.tasks.functions import classify as classify
    from wellshaped.train.tasks.functions import multilabel as multilabel
    from wellshaped.train.tasks.functions import regress as regress
    from wellshaped.train.tasks.functions import seq2seq as seq2seq
    from wellshaped.train.tasks.functions import tag as tag
    from wellshaped.train.tasks.result import Trained as Trained

# Loaded when first asked for: each brings what it needs, and no more.
_HOMES = {
    "RewardModel": "wellshaped.train.reward.model",
    "Scorer": "wellshaped.train.reward.scoring",
    "TrainedReward": "wellshaped.train.reward.run",
    "train_reward": "wellshaped.train.reward.run",
    "Learner": "wellshaped.train.rl.learner",
    "rlhf": "wellshaped.train.rlhf",
    "train_policy": "wellshaped.train.rl.run",
    "train_sft": "wellshaped.train.rl.run_sft",
    "Trained": "wellshaped.train.tasks.result",
    "classify": "wellshaped.train.tasks.functions",
    "multilabel": "wellshaped.train.tasks.functions",
    "regress": "wellshaped.train.tasks.functions",
    "seq2seq": "wellshaped.train.tasks.functions",
    "tag": "wellshaped.train.tasks.functions",
}

__all__ = [*_HOMES]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'wellshaped.train' has no attribute {name!r}")
    return getattr(importlib.import_module(home), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
