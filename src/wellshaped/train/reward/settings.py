"""Every choice of a reward run, checked before anything is loaded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from wellshaped.records.phrase import Told
from wellshaped.train.reward.adaptation import Adaptation
from wellshaped.train.reward.losses import Preference
from wellshaped.train.settings import Settings


@dataclass(frozen=True, kw_only=True)
class RewardSettings:
    """What is read, how a pair is judged, what is trained, and how the loop goes.

    `length` is the most tokens of a text, `batch` the comparisons of a batch in each process,
    `hold_out` the part of the data to evaluate with, where no other is given for that.
    `threads` are torch's: one for a model made here, as many as it takes for others.
    """

    length: int = 1024
    batch: int = 8
    hold_out: float = 0.1
    pooling: str = "last"
    fast: bool = True
    threads: int | None = None
    preference: Preference = field(default_factory=Preference)
    adaptation: Adaptation = field(default_factory=Adaptation)
    loop: Settings = field(default_factory=Settings)

    def __post_init__(self) -> None:
        for name in ("length", "batch", "threads"):
            got = getattr(self, name)
            if got is not None and got < 1:
                raise Told("WS988", "setting_range", name=name, least="1", got=got)
        if not 0 <= self.hold_out < 1:
            raise Told("WS988", "hold_out_share", got=self.hold_out)

    def marks(self) -> dict[str, Any]:
        """All of it by name but the loop's, as it is written into checkpoints."""
        found = asdict(self)
        del found["loop"]
        return found


_LOOP: dict[str, Any] = {"epochs": 1, "warmup": 0.03, "watch": "accuracy", "better": "higher"}
# By what is trained: a model that was trained before, adapters or a head on it, or a new one.
_RATES = {"whole": 1e-5, "part": 1e-4, "new": 2e-3}


def reward_settings(given: Mapping[str, Any], *, is_new: bool = False) -> RewardSettings:
    """The settings from flat names, such as `learning_rate`, `smoothing`, `lora` or `batch`.

    A model that `is_new` has a higher learning rate, if none is given.
    """
    left = dict(given)
    preference = Preference(**_taken(left, Preference))
    adaptation = Adaptation(**_taken(left, Adaptation))
    part = adaptation.lora or adaptation.freeze
    rate = _RATES["new" if is_new else "part" if part else "whole"]
    loop = Settings(**{**_LOOP, "learning_rate": rate, **_taken(left, Settings)})
    own = {each.name for each in fields(RewardSettings)} - {"preference", "adaptation", "loop"}
    for name in left:
        if name not in own:
            raise Told("WS988", "unknown_setting", name=name)
    if is_new:  # small models are slower with several
        left = {"threads": 1, **left}
    return RewardSettings(**left, preference=preference, adaptation=adaptation, loop=loop)


def _taken(left: dict[str, Any], kind: type[Any]) -> dict[str, Any]:
    names = {each.name for each in fields(kind)}
    return {name: left.pop(name) for name in tuple(left) if name in names}
