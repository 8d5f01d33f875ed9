"""The training step on demonstrations as a program of its own, for `wellshaped check` to run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from torch import Tensor

from wellshaped.train.dry import program_of
from wellshaped.train.events import EventSink, discard
from wellshaped.train.optimizer import adamw
from wellshaped.train.rl.data import Data
from wellshaped.train.rl.policy import Actor
from wellshaped.train.rl.responses import Batch, Response, batch_of
from wellshaped.train.rl.run_sft import prepared, sft_settings

_PROGRAM = '''\
"""What `wellshaped train sft` does with each batch."""

from torch.utils.data import DataLoader

from wellshaped.train.rl.dry_sft import collated, pieces

demonstrations, actor, optimizer = pieces({options})

for _, batch in DataLoader(demonstrations, batch_size={batch}, collate_fn=collated):
    logprobs = actor(batch).logprobs_BR
    loss = -logprobs[batch.mask_BR].mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
'''


def program_text(
    model: str | Path | None, data: Data, *, skip: bool, tell: EventSink, **settings: Any
) -> str:
    """The source of the program, after its data was read as a run would read it."""
    chosen = sft_settings(settings, is_new=model is None)
    prepared(model, data, None, chosen, skip=skip, tell=tell)
    options = {"model": model, "data": data, **settings}
    return program_of(_PROGRAM, options, batch=chosen.batch)


def pieces(*, model: str | None, data: Any, **settings: Any) -> tuple[list[Response], Actor, Any]:
    """What the program needs, as the command makes it; rows that are bad are left out."""
    chosen = sft_settings(settings, is_new=model is None)
    found = prepared(model, data, None, chosen, skip=True, tell=discard)
    actor = Actor(found.policy)
    return found.learned, actor, adamw(actor, chosen.loop)


def collated(responses: Sequence[Response]) -> tuple[Tensor, Batch]:
    """A batch behind its tokens: check counts the rows of a batch by its first tensor."""
    batch = batch_of(responses)
    return batch.tokens_BT, batch
