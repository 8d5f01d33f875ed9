"""Which short cuts are exact for a model: tried on random texts, forward and backward.

Legend: N texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import torch
from torch import Tensor, nn

from wellshaped.records.phrase import Phrase, phrase

from . import attention
from .forward_plan import PADDED, ForwardPlan
from .last_block import last_block, prune

if TYPE_CHECKING:
    from .model import RewardModel

# How far rewards and gradients may be from those of each text alone, against their own size:
# rounding in another order stays a hundred times below, a wrong mask far above.
TOLERANCES: Final = {torch.float64: 1e-8, torch.float32: 1e-4}
COARSE: Final = 5e-2
# Gradients of larger weights are not held against one another: twice a large model is too much.
LARGEST: Final = 2**20
SEED: Final = 9


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What texts come to: their rewards, and the gradients of a mixture of them."""

    rewards: Tensor
    gradients: Tensor

    def distance(self, truth: _Outcome) -> float:
        """The larger of both differences, against the size of the truth."""
        return max(
            _relative(self.rewards, truth.rewards), _relative(self.gradients, truth.gradients)
        )


def _relative(got: Tensor, truth: Tensor) -> float:
    difference = (got - truth).norm() / truth.norm().clamp(min=torch.finfo(truth.dtype).tiny)
    return difference.item() if truth.numel() else 0.0


def settle(model: RewardModel, *, longest: int) -> ForwardPlan:
    """The short cuts that change neither rewards nor gradients of texts up to `longest` tokens.

    All together first, which is most often the end of it; else one after the other.
    """
    with undisturbed(model):
        trial = _Trial(model, longest)
        wanted = list(_wanted(model))
        everything = PADDED
        for name in wanted:
            everything = everything.with_short_cut(name)
        if trial.reason(everything, wanted[-1]) is None:
            return everything
        plan, refused = PADDED, []
        for name in wanted:
            wider = plan.with_short_cut(name)
            reason = trial.reason(wider, name)
            if reason is None:
                plan = wider
            else:
                refused.append(reason)
            if not plan.packed:
                model.attend_by(None)
                break
    return replace(plan, refused=tuple(refused))


def _wanted(model: RewardModel) -> Iterator[str]:
    yield "packed"
    if model.causal:
        yield "shared_prefix"
    if model.pooling == "last":
        yield "ends_only"


class _Trial:
    """Random texts, what each comes to alone, and what they come to by a plan."""

    def __init__(self, model: RewardModel, longest: int) -> None:
        self.model, self.groups = model, _random_groups(model, longest)
        model.attend_by(None)
        texts = [text for group in self.groups for text in group]
        self.truth = _outcome(model, lambda: torch.cat([model.score_alone(t) for t in texts]))

    def reason(self, plan: ForwardPlan, name: str) -> Phrase | None:
        """Why the newest short cut of a plan, `name`, is not to be taken; None if all are exact."""
        try:
            self.model.attend_by(attention.NAME)
            if plan.ends_only and not _pruned(self.model):
                return phrase("short_cut_no_block", short_cut=name)
            found = _outcome(self.model, lambda: self.model.run(self.groups, plan))
            difference = found.distance(self.truth)
        except Exception as error:  # whatever it does not put up with, it trains on padded batches
            return phrase("short_cut_refused", short_cut=name, error=type(error).__name__)
        if difference <= TOLERANCES.get(next(self.model.backbone.parameters()).dtype, COARSE):
            return None
        return phrase("short_cut_differs", short_cut=name, difference=f"{difference:.1e}")


def _pruned(model: RewardModel) -> bool:
    """Whether the last block was found, and knows how to skip tokens."""
    layers = model.config.get_text_config().num_hidden_layers
    block = last_block(model.transformer, layers=layers)
    if block is None:
        return False
    prune(block)
    return True


def _outcome(model: RewardModel, rewards: Callable[[], Tensor]) -> _Outcome:
    rewards_N = rewards()
    mixture_N = torch.linspace(-1, 1.5, len(rewards_N), device=rewards_N.device)
    weights = [w for w in model.parameters() if w.requires_grad and w.numel() <= LARGEST]
    found = torch.autograd.grad(
        (mixture_N * rewards_N).sum(), weights, allow_unused=True, materialize_grads=True
    )
    flat = [g.flatten().float() for g in found]
    return _Outcome(rewards_N.detach(), torch.cat(flat) if flat else rewards_N.new_zeros(0))


def _random_groups(model: RewardModel, longest: int) -> list[list[Tensor]]:
    """A pair as long as allowed, and one chosen with two rejected, with shared beginnings."""
    config = model.config.get_text_config()
    positions = getattr(config, "max_position_embeddings", None) or longest
    longest = max(8, min(longest, positions - model.first_position))
    pad = config.pad_token_id or 0
    generator = torch.Generator().manual_seed(SEED)

    def tokens(count: int) -> Tensor:
        drawn = torch.randint(1, config.vocab_size, (count,), generator=generator)
        # Some models read a pad where its id stands.
        return drawn.masked_fill(drawn == pad, pad - 1)

    def group(shared: int, *lengths: int) -> list[Tensor]:
        beginning = tokens(shared)
        return [torch.cat((beginning, tokens(length))) for length in lengths]

    half, eighth = longest // 2, longest // 8
    return [group(half, longest - half, eighth), group(eighth, 1, 2, 2 + eighth // 2)]


@contextmanager
def undisturbed(model: nn.Module) -> Iterator[None]:
    """A trial leaves no trace: no dropout, no gradients kept, random numbers as before."""
    modes = [(module, module.training) for module in model.modules()]
    device = next(model.parameters()).device.type
    with ExitStack() as stack:
        stack.enter_context(torch.inference_mode(False))
        stack.enter_context(torch.enable_grad())
        stack.enter_context(torch.autocast(device, enabled=False))
        model.eval()
        try:
            yield
        finally:
            for module, training in modes:
                module.training = training
