"""What a policy method is: settings, each with a default that learns, advantages, and a loss.

B responses, R their tokens.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from wellshaped.records.phrase import UserError
from wellshaped.train.loop_settings import Precision
from wellshaped.train.options import check_settings, option, require_share

if TYPE_CHECKING:
    from torch import Tensor

    from wellshaped.train.rl.experience import Experience
    from wellshaped.train.rl.objective import Counts
    from wellshaped.train.rl.policy import PolicyOutput
    from wellshaped.train.rl.responses import Response, ResponseBatch

# Where the score of a response stands: at its last real token, or, as in TRL, one after it.
Slot = Literal["last", "after"]
ValueKind = Literal["separate", "shared", "none"]
# What may change when a run goes on.
_MAY_CHANGE = ("keep", "save_every", "threads")


@dataclass(frozen=True)
class Sampling:
    """Options of a draw. All but the temperature draw from another distribution than the
    policy's: the KL estimators then no longer estimate the KL, and are off by what was cut.

    `response_length` counts the end token; 0 for `top_k` is all words."""

    response_length: int = option(64, "most tokens of a response")
    temperature: float = option(1.0, "of the draws, and of all log-probabilities")
    top_k: int = option(0, "draw from the likeliest words only; the KL is then not exact")
    top_p: float = option(1.0, "draw from the likeliest part only; the KL is then not exact")
    min_length: int = option(0, "no end before so many tokens; the KL is then not exact")
    greedy: bool = False

    @property
    def exact(self) -> bool:
        """Whether tokens are drawn from the policy itself."""
        return self.top_k == 0 and self.top_p >= 1.0 and self.min_length == 0 and not self.greedy


@dataclass(frozen=True, kw_only=True)
class RolloutAlgorithm(ABC):
    """How a policy is improved by rewards: the settings that every method has.

    An update writes `samples` responses to each of `prompts` prompts and learns from them for
    `epochs`, `minibatch` responses a step, at most `rows` in one forward pass. `kl` is the price
    of a nat away from the reference; with `kl_target` it is steered towards that KL of a response.
    `stop_kl` ends the epochs of an update once the policy has moved so far. `slot` is where the
    score of a response stands. `normalise` scores that many responses of the reference first, and
    gives scores mean 0 and deviation 1 there. `prompt_length` is the most tokens of a prompt,
    `hold_out` the share of the prompts that are evaluated on where no others are given,
    `evaluated` the most of them; `lora` the rank of an adapter, 0 for none.
    """

    name: ClassVar[str]
    help: ClassVar[str]
    description: ClassVar[str]

    updates: int = option(30, "times that responses are written and learned from", least=1)
    prompts: int = option(64, "prompts of an update", least=1)
    samples: int = option(1, "responses to each prompt", least=1)
    epochs: int = option(4, "times that the responses of an update are learned from", least=1)
    minibatch: int = option(32, "responses of one step of the optimizer", least=1)
    rows: int = option(0, "responses of one forward pass; 0 is all of a minibatch", least=0)
    learning_rate: float = option(3e-4, "learning rate", least=0)
    warmup: int = option(0, "updates over which the learning rate rises", least=0)
    max_gradient: float = option(1.0, "most that the gradients measure together", least=0)
    kl: float = option(0.05, "KL penalty coefficient (beta)", least=0)
    kl_target: float = option(
        0.0, "steer that price towards this KL of a response; 0 for a fixed price", least=0
    )
    kl_horizon: float = option(10_000.0, "responses over which it is steered", least=0)
    stop_kl: float = option(
        0.0, "end the epochs of an update when the policy moved so far; 0 never does", least=0
    )
    entropy_coefficient: float = option(0.0, "bonus for entropy", least=0)
    slot: Slot = "last"
    whiten_rewards: bool = False
    score_clip: float = option(0.0, "scores are kept within this of 0; 0 for no limit", least=0)
    missing_end_penalty: float = option(
        1.0, "taken off the score of a response without an end", least=0
    )
    normalise: int = option(
        0, "responses of the reference that set mean 0, deviation 1 of scores", least=0
    )
    sampling: Sampling = field(default_factory=Sampling)
    prompt_length: int = option(512, "most tokens of a prompt; its beginning is cut", least=1)
    hold_out: float = option(0.1, "share of the prompts to evaluate on, if no others are given")
    evaluated: int = option(64, "most prompts that are evaluated on", least=1)
    evaluate_every: int = option(10, "updates between evaluations", least=1)
    save_every: int = option(10, "updates between checkpoints", least=1)
    keep: int = option(2, "checkpoints that are kept, beside the best", least=1)
    seed: int = option(0, "of everything that is drawn by chance", least=0)
    lora: int = option(0, "rank of an adapter (8)", least=0, const=8)
    checkpointing: bool = option(False, "less memory")
    precision: Precision = option("no")
    threads: int | None = option(None, "of torch", least=1)

    def __post_init__(self) -> None:
        check_settings(self)
        require_share(self.hold_out)
        if self.minibatch > self.responses:
            facts = {"minibatch": self.minibatch, "responses": self.responses}
            raise UserError("WS999", "minibatch_too_large", **facts)

    @property
    def responses(self) -> int:
        """Responses of one update."""
        return self.prompts * self.samples

    @property
    def value_kind(self) -> ValueKind:
        """The value function that is learned beside the policy."""
        return "none"

    @abstractmethod
    def advantages(
        self,
        rewards_BR: Tensor,
        values_BR: Tensor,
        batch: ResponseBatch,
        responses: Sequence[Response],
    ) -> tuple[Tensor, Tensor]:
        """The advantage of each token, and the return that its value is to foresee; (B, R) both.

        `rewards_BR` has the KL penalty at every token, and the score at the slot of its response.
        """

    @abstractmethod
    def loss(
        self, output: PolicyOutput, part: Experience, counts: Counts
    ) -> tuple[Tensor, dict[str, Tensor]]:
        """What is minimised for some responses, and the numbers that are shown.

        All are sums divided by the `counts` of the whole step, so that parts of a step, and
        processes, add up. Among the numbers are `ratio`, the mean probability ratio to the policy
        that wrote, and `moved`, half the mean square of its logarithm, which `stop_kl` bounds.
        """

    def marks(self) -> dict[str, Any]:
        """All that a run must have in common with one it goes on from, by name."""
        found = asdict(self)
        sampling = found.pop("sampling")
        own = {name: value for name, value in found.items() if name not in _MAY_CHANGE}
        return {"method": self.name, **own, **sampling}
