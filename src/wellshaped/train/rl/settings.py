"""The numbers of a run of policy learning, each with a default that learns."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal, get_args

from wellshaped.records.phrase import Told
from wellshaped.train.rl.advantage import Slot
from wellshaped.train.rl.generation.sampling import Sampling
from wellshaped.train.rl.policy import ValueKind
from wellshaped.train.settings import Precision

Method = Literal["ppo", "reinforce"]


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How a policy is improved by rewards.

    An update writes `samples` responses to each of `prompts` prompts and learns from them for
    `epochs`, `minibatch` responses a step, at most `rows` in one forward pass. `kl` is the price
    of a nat away from the reference; with `kl_target` it is steered towards that KL of a response.
    `stop_kl` ends the epochs of an update once the policy has moved so far. `slot` is where the
    score of a response stands: at its `last` token, or `after` it, as in TRL. `normalise` scores
    that many responses of the reference first, and gives scores mean 0 and deviation 1 there.
    """

    method: Method = "ppo"
    updates: int = 30
    prompts: int = 64
    samples: int = 1
    epochs: int = 4
    minibatch: int = 32
    rows: int = 0
    learning_rate: float = 3e-4
    warmup: int = 0
    max_gradient: float = 1.0
    kl: float = 0.05
    kl_target: float = 0.0
    kl_horizon: float = 10_000.0
    stop_kl: float = 0.0
    clip: float = 0.2
    value: ValueKind = "separate"
    value_clip: float = 0.2
    value_coefficient: float = 0.1
    entropy_coefficient: float = 0.0
    gamma: float = 1.0
    lam: float = 0.95
    whiten_rewards: bool = False
    score_clip: float = 0.0
    missing_end_penalty: float = 1.0
    slot: Slot = "last"
    normalise: int = 0
    checkpointing: bool = False
    seed: int = 0
    sampling: Sampling = field(default_factory=Sampling)

    def __post_init__(self) -> None:
        for name in ("updates", "prompts", "samples", "epochs", "minibatch"):
            _require(self, name, least=1)
        for name in _NUMBERS:
            _require(self, name, least=0)
        for name, known in (("method", Method), ("value", ValueKind), ("slot", Slot)):
            _among(name, getattr(self, name), get_args(known))
        if self.minibatch > self.responses:
            facts = {"minibatch": self.minibatch, "responses": self.responses}
            raise Told("WS999", "minibatch_too_large", **facts)
        if self.method == "ppo" and self.value == "none":
            raise Told(
                "WS988", "setting_choice", name="value", known="separate, shared", got="none"
            )

    @property
    def responses(self) -> int:
        """Responses of one update."""
        return self.prompts * self.samples

    @property
    def value_kind(self) -> ValueKind:
        """REINFORCE has no value function."""
        return self.value if self.method == "ppo" else "none"


@dataclass(frozen=True, kw_only=True)
class RunSettings:
    """What is around the learning: how often it is evaluated and saved, and in what form.

    `prompt_length` is the most tokens of a prompt, `hold_out` the share of the prompts that are
    evaluated on where no others are given, `evaluated` the most of them; `lora` the rank of an
    adapter, 0 for none.
    """

    prompt_length: int = 512
    hold_out: float = 0.1
    evaluated: int = 64
    evaluate_every: int = 10
    save_every: int = 10
    keep: int = 2
    lora: int = 0
    precision: Precision = "no"
    learning: Settings = field(default_factory=Settings)

    def __post_init__(self) -> None:
        for name in ("prompt_length", "evaluated", "evaluate_every", "save_every", "keep"):
            _require(self, name, least=1)
        _require(self, "lora", least=0)
        _among("precision", self.precision, get_args(Precision))
        if not 0 <= self.hold_out < 1:
            raise Told("WS988", "hold_out_share", got=self.hold_out)

    def marks(self) -> dict[str, Any]:
        """All that a run must have in common with one it goes on from, by name."""
        found = asdict(self)
        learning = found.pop("learning")
        sampling = learning.pop("sampling")
        sampling["response_length"] = sampling.pop("length")
        own = {name: value for name, value in found.items() if name not in _MAY_CHANGE}
        return {**own, **learning, **sampling}


# What the methods have of their own where nothing else is asked for.
_OF_METHOD: dict[str, dict[str, Any]] = {
    "ppo": {},
    "reinforce": {"epochs": 1, "learning_rate": 1e-3},
}
_MAY_CHANGE = ("keep", "save_every")
_RESPONSE = {"response_length": "length"}
_NUMBERS = (
    *("rows", "learning_rate", "warmup", "max_gradient", "kl", "kl_target", "kl_horizon"),
    *("stop_kl", "clip", "value_clip", "value_coefficient", "entropy_coefficient", "gamma", "lam"),
    *("score_clip", "missing_end_penalty", "normalise", "seed"),
)


def run_settings(given: Mapping[str, Any]) -> RunSettings:
    """The settings from flat names, such as `kl`, `temperature`, `response_length` or `lora`."""
    left = dict(given)
    for name, inner in _RESPONSE.items():
        if name in left:
            left[inner] = left.pop(name)
    sampling = Sampling(**_taken(left, Sampling))
    own = _taken(left, Settings)
    defaults = _OF_METHOD.get(own.get("method", "ppo"), {})
    learning = Settings(**{**defaults, **own}, sampling=sampling)
    known = {each.name for each in fields(RunSettings)} - {"learning"}
    for name in left:
        if name not in known:
            raise Told("WS988", "unknown_setting", name=name)
    return RunSettings(**left, learning=learning)


def _taken(left: dict[str, Any], kind: type[Any]) -> dict[str, Any]:
    names = {each.name for each in fields(kind)} - {"sampling"}
    return {name: left.pop(name) for name in tuple(left) if name in names}


def _require(settings: Any, name: str, *, least: int) -> None:
    got = getattr(settings, name)
    if not (math.isfinite(got) and got >= least):
        raise Told("WS988", "setting_range", name=name, least=str(least), got=got)


def _among(name: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise Told("WS988", "setting_choice", name=name, known=", ".join(known), got=value)
