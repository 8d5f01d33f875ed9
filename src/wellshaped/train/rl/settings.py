"""The numbers of a run of policy learning, each with a default that learns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from wellshaped.records.phrase import Told
from wellshaped.train.rl.advantage import Slot
from wellshaped.train.rl.policy import ValueKind
from wellshaped.train.rl.sampling import Sampling


@dataclass(frozen=True)
class Settings:
    """How a policy is improved by rewards."""

    method: Literal["ppo", "reinforce"] = "ppo"
    updates: int = 30
    prompts: int = 64  # prompts of an update
    samples: int = 1  # responses to each prompt
    epochs: int = 4
    minibatch: int = 32  # responses of an optimizer step
    rows: int | None = None  # responses of one forward pass; all of the minibatch unless given
    learning_rate: float = 3e-4
    warmup: int = 0  # updates over which the learning rate rises
    max_gradient: float = 1.0
    kl: float = 0.05
    kl_target: float | None = None  # steer the coefficient towards this KL of a response
    kl_horizon: float = 10_000.0
    stop_kl: float | None = None  # end the epochs of an update when the policy has moved so far
    clip: float = 0.2
    value: ValueKind = "separate"
    value_clip: float | None = 0.2
    value_coefficient: float = 0.1
    entropy_coefficient: float = 0.0
    gamma: float = 1.0
    lam: float = 0.95
    whiten_rewards: bool = False
    score_clip: float | None = None
    missing_end_penalty: float | None = 1.0
    slot: Slot = "last"
    normalise: int = 0  # responses of the reference that set mean 0 and deviation 1 of the scores
    checkpointing: bool = False
    seed: int = 0
    sampling: Sampling = field(default_factory=Sampling)

    def __post_init__(self) -> None:
        if self.minibatch > self.responses:
            raise Told(
                "WS999", "minibatch_too_large", minibatch=self.minibatch, responses=self.responses
            )

    @property
    def responses(self) -> int:
        """Responses of one update."""
        return self.prompts * self.samples

    @property
    def value_kind(self) -> ValueKind:
        """REINFORCE has no value function."""
        return self.value if self.method == "ppo" else "none"
