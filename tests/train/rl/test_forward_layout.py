"""Texts one after another come to what they come to padded, in every way they are read."""

import pytest
import torch

from tests.floats import DEEP
from tests.train.rl.models import WORDS, policy, prompts
from wellshaped.records.phrase import phrase
from wellshaped.train.reward.attention import NAME
from wellshaped.train.rl.forward_layout import packed, padded
from wellshaped.train.rl.policy import Actor
from wellshaped.train.rl.responses import Response, response_batch

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("packed_always")]

KINDS = ["gpt2", "llama"]


def responses(samples=3):
    """Several to each prompt, in no order, of all lengths from one token on."""
    generator = torch.Generator().manual_seed(5)
    asked = [prompt for _ in range(samples) for prompt in prompts()]
    return [
        Response(
            prompt,
            tuple(torch.randint(0, WORDS, (1 + 5 * row % 12,), generator=generator).tolist()),
            (), False, 0,
        )
        for row, prompt in enumerate(asked)
    ]  # fmt: skip


def gradients(actor, batch, output):
    weights_BR = torch.linspace(-1, 2, batch.mask_BR.numel()).view_as(batch.mask_BR)
    mixed = (weights_BR * (output.logprobs_BR + output.entropy_BR + output.values_BR)).sum()
    trained = list(actor.parameters())
    return torch.autograd.grad(mixed, trained, materialize_grads=True, allow_unused=True)


def output(actor, batch, exact):
    actor._packing.allows = lambda *_: exact
    return actor(batch, temperature=0.7, entropy="learned")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("value", ["separate", "shared"])
@pytest.mark.parametrize("slot", ["last", "after"])
def test_log_probabilities_values_and_gradients_are_those_of_padded_rows(kind, value, slot):
    actor = Actor(policy(kind), value=value)
    torch.nn.init.normal_(actor.head.linear.weight)
    batch = response_batch(responses(), width=14, slot=slot)
    assert actor._packing.allows(batch.tokens_BT.shape[1], actor, actor._read)
    whole, short = output(actor, batch, False), output(actor, batch, True)
    for name in ("logprobs_BR", "entropy_BR", "values_BR"):
        torch.testing.assert_close(getattr(whole, name), getattr(short, name), **DEEP)
    pairs = zip(gradients(actor, batch, whole), gradients(actor, batch, short), strict=True)
    for one, other in pairs:
        assert (one - other).norm() <= DEEP["rtol"] * one.norm().clamp_min(1e-3)
    torch.testing.assert_close(actor.values(batch), whole.values_BR, **DEEP)


def test_nothing_is_computed_that_nobody_reads():
    batch = response_batch(responses())
    real = sum(len(one) - 1 for one in prompts()) + sum(len(one.tokens) for one in responses())
    assert packed(batch).computed == real
    assert padded(batch).computed == batch.tokens_BT.numel() > 2 * real


def test_a_model_that_reads_across_texts_is_padded():
    """As one would whose attention takes no mask."""

    class Mixing(type(policy())):
        def forward(self, *args, **kwargs):
            found = super().forward(*args, **kwargs)
            found.logits = found.logits + 0.1 * kwargs["input_ids"].shape[1]
            return found

    model = policy()
    model.__class__ = Mixing
    actor = Actor(model)
    batch = response_batch(responses())
    assert actor(batch).computed == padded(batch).computed
    assert model.config._attn_implementation != NAME
    assert actor.refused is not None
    assert actor.refused.name == "short_cut_differs"


def test_a_model_whose_attention_is_its_own_is_padded():
    model = policy()
    model._can_set_attn_implementation = lambda: False
    batch = response_batch(responses())
    actor = Actor(model)
    found = actor(batch)
    assert found.computed == padded(batch).computed
    assert actor.refused == phrase(
        "short_cut_refused", short_cut="packed", error="NotImplementedError"
    )
    torch.testing.assert_close(found.logprobs_BR, Actor(policy())(batch).logprobs_BR, **DEEP)


def test_texts_are_padded_where_packing_costs_more_than_it_saves(monkeypatch):
    batch = response_batch(responses())
    saved = padded(batch).computed - packed(batch).computed
    for price, chosen in ((saved * 32**2 / len(responses()), packed), (1e9, padded)):
        monkeypatch.setattr("wellshaped.train.rl.policy.PRICE_OF_A_TEXT", price)
        assert Actor(policy())(batch).computed == chosen(batch).computed


def test_attention_is_given_back():
    model = policy()
    before = model.config._attn_implementation
    actor = Actor(model, value="separate")
    actor(response_batch(responses()))
    assert actor.backbone.config._attn_implementation == NAME
    assert model.config._attn_implementation == NAME
    actor.attend_as_before()
    assert actor.backbone.config._attn_implementation == before
    assert model.config._attn_implementation == before
