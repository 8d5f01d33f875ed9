"""Checkpointed, adapted, frozen, in half precision, copied: the short cuts hold, or stand back."""

import copy

import pytest
import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoModel, GPT2Config

from tests.floats import DEEP
from tests.train.reward.families import (
    CONFIGS,
    MARKS,
    alone,
    group,
    groups,
    reward_model,
    settled,
)
from wellshaped.train.models.dropout import without_dropout
from wellshaped.train.reward import attention
from wellshaped.train.reward.forward_plan import PADDED
from wellshaped.train.reward.layout import Group, Layout
from wellshaped.train.reward.model import RewardModel


def gradients(model, rewards):
    model.zero_grad()
    (torch.linspace(-1, 1, len(rewards)) * rewards).sum().backward()
    return {
        name: weight.grad.clone()
        for name, weight in model.named_parameters()
        if weight.grad is not None
    }


def same(got, wanted):
    assert got.keys() == wanted.keys()
    for name, gradient in wanted.items():
        torch.testing.assert_close(got[name], gradient, **DEEP)


@pytest.mark.parametrize("reentrant", [False, True])
@pytest.mark.parametrize("family", ["gpt2", "llama", "opt"])
def test_checkpointed_activations(family, reentrant):
    model = reward_model(family)
    without_dropout(model)
    wanted = gradients(model, alone(model, groups()))
    model.backbone.gradient_checkpointing_enable({"use_reentrant": reentrant})
    if reentrant:
        model.backbone.enable_input_require_grads()
    model.train()
    same(gradients(model, model(groups())), wanted)
    assert model.plan.short_cuts == 3


def test_two_batches_may_wait_for_their_gradients():
    # Activations are computed again long after the other batch was laid out.
    model = reward_model("llama")
    one, two = groups(), [group(3, 9, 2, seed=70)]
    wanted = gradients(model, torch.cat((alone(model, one), alone(model, two))))
    model.backbone.gradient_checkpointing_enable()
    model.train()
    same(gradients(model, torch.cat((model(one), model(two)))), wanted)


def test_adapters_train_by_all_short_cuts():
    model = reward_model("llama")
    settings = LoraConfig(target_modules=["q_proj", "v_proj", "down_proj"], r=2)
    model.backbone = get_peft_model(model.backbone, settings)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if "lora_B" in name:
                weight.normal_()
    wanted = gradients(model, alone(model, groups()))
    same(gradients(model, model(groups())), wanted)
    assert model.plan.short_cuts == 3
    assert len(wanted) == 2 * 3 * 2 + 1


def test_a_frozen_backbone_trains_its_head():
    model = reward_model("qwen2")
    model.backbone.requires_grad_(False)
    wanted = gradients(model, alone(model, groups()))
    same(gradients(model, model(groups())), wanted)
    assert list(wanted) == ["head.weight"]
    assert model.plan.short_cuts == 3


def test_bfloat16_by_autocast_is_near_and_rewards_are_float32():
    model = settled("llama")
    with torch.autocast("cpu", dtype=torch.bfloat16):
        rewards = model(groups())
        padded = model.run(groups(), PADDED)
    assert rewards.dtype == torch.float32
    torch.testing.assert_close(rewards, alone(model, groups()), atol=0.05, rtol=0.05)
    torch.testing.assert_close(rewards, padded, atol=0.05, rtol=0.05)


def test_dropout_is_drawn_in_training_only():
    model = reward_model("gpt2")
    torch.testing.assert_close(model(groups()), model(groups()))
    model.train()
    assert not torch.allclose(model(groups()), model(groups()), atol=1e-4)


def test_a_self_test_leaves_no_trace():
    model = reward_model("gpt2").train()
    model.backbone.h[0].eval()
    modes = [module.training for module in model.modules()]
    before, random = copy.deepcopy(model.state_dict()), torch.get_rng_state()
    model.settle(64)
    assert torch.equal(torch.get_rng_state(), random)
    assert modes == [module.training for module in model.modules()]
    assert all(weight.grad is None for weight in model.parameters())
    assert all(torch.equal(before[name], now) for name, now in model.state_dict().items())


def test_a_self_test_works_where_gradients_are_off():
    model = reward_model("gpt2")
    with torch.inference_mode():
        rewards = model(groups())
    assert model.plan.short_cuts == 3
    torch.testing.assert_close(rewards.clone(), alone(model, groups()).detach(), **DEEP)


def test_longer_texts_are_tested_again():
    model = reward_model("gpt2")
    first = model.settle(20)
    assert model.settle(30) is first
    again = model.settle(100)
    assert again is not first
    assert again.short_cuts == 3


def test_a_model_that_disagrees_with_its_packed_self_is_padded(monkeypatch):
    within = attention._within

    def forgetful(query, key, value, layout, settings):
        """As if the whole batch were one text."""
        whole = Layout((Group(0, (layout.tokens,)),), causal=True)
        return within(query, key, value, whole, settings)

    model = reward_model("gpt2")
    monkeypatch.setattr(attention, "_within", forgetful)
    plan = model.settle(32)
    assert not plan.packed
    (reason,) = plan.refused
    assert reason.name == "short_cut_differs"
    assert float(reason.facts["difference"]) > 1e-2
    torch.testing.assert_close(model(groups()), alone(model, groups()), **DEEP)


def test_without_short_cuts_nothing_is_tested():
    model = reward_model("gpt2", fast=False)
    model(groups())
    assert model.plan is PADDED


def test_a_copy_is_a_model_of_its_own():
    model = settled("llama")
    other = copy.deepcopy(model)
    with torch.no_grad():
        for weight in other.backbone.layers[-1].parameters():
            weight.zero_()
    torch.testing.assert_close(model(groups()), alone(model, groups()), **DEEP)
    torch.testing.assert_close(other(groups()), alone(other, groups()), **DEEP)
    assert not torch.allclose(model(groups()), other(groups()), atol=1e-3)


def test_written_out_activations_are_exchanged():
    def activations(model):
        return {type(module).__name__ for module in model.modules() if "GELU" in str(type(module))}

    assert activations(settled("gpt2")) == {"FusedTanhGELU"}
    assert activations(reward_model("gpt2", fast=False)) == {"NewGELUActivation"}


def test_blocks_of_an_unknown_form_are_computed_whole():
    config = GPT2Config(**MARKS, n_embd=32, n_layer=2, n_head=4, n_positions=128)
    model = RewardModel(AutoModel.from_config(config)).eval()
    model.backbone.twin = torch.nn.ModuleList([torch.nn.Identity(), torch.nn.Identity()])
    plan = model.settle(32)
    assert (plan.packed, plan.shared_prefix, plan.ends_only) == (True, True, False)
    assert [reason.name for reason in plan.refused] == ["short_cut_no_block"]
    torch.testing.assert_close(model(groups()), alone(model, groups()), **DEEP)


def test_a_layout_survives_as_a_mask():
    layout = Layout((Group(3, (1, 4)), Group(0, (2,))), causal=True, ends_only=True)
    again = Layout.from_mask(layout.as_mask())
    assert again == layout
    assert again.ends.tolist() == [3, 7, 9]
    assert again.positions.tolist() == [0, 1, 2, 3, 3, 4, 5, 6, 0, 1]
    assert Layout.from_mask(torch.ones(1, 1, 2, 2)) is None


def test_a_head_begins_small():
    heads = [RewardModel(AutoModel.from_config(CONFIGS["gpt2"]())).head.weight for _ in range(20)]
    assert torch.cat(heads).std().item() == pytest.approx(33**-0.5, rel=0.1)
