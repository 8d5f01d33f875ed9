"""The training step of a reward model as a program of its own, for `wellshaped check` to run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from torch import Tensor

from wellshaped.train.data.comparisons import Comparison, Comparisons
from wellshaped.train.data.preference_data import Data
from wellshaped.train.dry import program_of
from wellshaped.train.events import EventSink, discard
from wellshaped.train.optimizer import adamw
from wellshaped.train.reward.losses import Preference
from wellshaped.train.reward.model import RewardModel
from wellshaped.train.reward.run import prepared
from wellshaped.train.reward.settings import reward_settings
from wellshaped.train.reward.trainer import batched

Collate: TypeAlias = Callable[[Sequence[Comparison]], tuple[Tensor, Tensor, list[list[Tensor]]]]

_PROGRAM = '''\
"""What `wellshaped train reward` does with each batch."""

from torch.utils.data import DataLoader

from wellshaped.train.reward.dry import pieces
from wellshaped.train.reward.losses import paired, preference_loss

comparisons, collate, model, preference, optimizer = pieces({options})

for margins, weights, groups in DataLoader(comparisons, batch_size={batch}, collate_fn=collate):
    rewards = model(groups)
    chosen, rejected = paired(rewards, [len(texts) for texts in groups])
    loss = preference_loss(
        chosen, rejected, preference, margin_P=margins, weight_P=weights
    ).mean
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
'''


def program_text(
    model: str | Path | None, data: Data | None, *, skip: bool, tell: EventSink, **settings: Any
) -> str:
    """The source of the program, after its data was read as a run would read it."""
    chosen = reward_settings(settings, is_new=model is None)
    prepared(model, data, None, chosen, skip=skip, tell=tell)
    options = {"model": model, "data": data, **settings}
    return program_of(_PROGRAM, options, batch=chosen.batch)


def pieces(
    *, model: str | None, data: Any, **settings: Any
) -> tuple[Comparisons, Collate, RewardModel, Preference, Any]:
    """What the program needs, as the command makes it; rows that are bad are left out."""
    chosen = reward_settings(settings, is_new=model is None)
    found = prepared(model, data, None, chosen, skip=True, tell=discard)
    optimizer = adamw(found.core, chosen.loop)
    return found.trained, _collated, found.core.train(), chosen.preference, optimizer


def _collated(chosen: Sequence[Comparison]) -> tuple[Tensor, Tensor, list[list[Tensor]]]:
    """Margins, weights, texts: check counts the rows of a batch by its first tensor."""
    batch = batched(chosen)
    return batch.margins, batch.weights, batch.groups
