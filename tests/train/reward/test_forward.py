"""The same rewards and gradients by every way through a model, for every family."""

import pytest
import torch

from tests.floats import DEEP
from tests.train.reward.families import (
    CONFIGS,
    ENCODERS,
    END,
    PACKED,
    PADDED_ONLY,
    SHARING,
    alone,
    group,
    groups,
    settled,
    tokens,
)
from wellshaped.records.phrase import UserError
from wellshaped.train.reward.forward_plan import PADDED, ForwardPlan
from wellshaped.train.reward.layout import common_prefix

PLANS = {
    "padded": PADDED,
    "packed": ForwardPlan(packed=True, shared_prefix=False, ends_only=False),
    "shared": ForwardPlan(packed=True, shared_prefix=True, ends_only=False),
    "ends": ForwardPlan(packed=True, shared_prefix=True, ends_only=True),
}


def near(got, wanted, atol=DEEP["atol"]):
    torch.testing.assert_close(got, wanted, atol=atol, rtol=DEEP["rtol"])


def gradients(model, rewards):
    weights = torch.linspace(-1, 1, len(rewards))
    found = torch.autograd.grad(
        (weights * rewards).sum(), list(model.parameters()), allow_unused=True
    )
    names = [name for name, _ in model.named_parameters()]
    return {name: found for name, found in zip(names, found, strict=True) if found is not None}


@pytest.mark.parametrize("family", CONFIGS)
def test_a_batch_has_the_rewards_of_its_texts_alone(family):
    model = settled(family)
    near(model(groups()), alone(model, groups()))
    near(model.run(groups(), PADDED), alone(model, groups()))


@pytest.mark.parametrize("family", CONFIGS)
def test_the_short_cuts_taken_are_those_the_family_allows(family):
    plan = settled(family).settle(64)
    assert plan.packed == (family in PACKED)
    assert plan.shared_prefix == (family in SHARING)
    assert plan.ends_only == (family in PACKED)
    assert bool(plan.refused) == (family in PADDED_ONLY)


@pytest.mark.parametrize(
    ("family", "pooling"),
    [
        *((family, "last") for family in PACKED),
        *((family, pooling) for family in ("gpt2", "bert") for pooling in ("mean", "attention")),
    ],
)
def test_gradients_of_every_weight_are_those_of_the_padded_batch(family, pooling):
    model = settled(family, pooling)
    padded = gradients(model, model.run(groups(), PADDED))
    fast = gradients(model, model(groups()))
    assert model.plan.packed
    assert fast.keys() == padded.keys()
    for name, wanted in padded.items():
        near(fast[name], wanted)


@pytest.mark.parametrize("name", PLANS)
def test_each_short_cut_by_itself_is_exact(name):
    model = settled()
    wanted = gradients(model, alone(model, groups()))
    rewards = model.run(groups(), PLANS[name])
    near(rewards, alone(model, groups()))
    for weight, got in gradients(model, rewards).items():
        near(got, wanted[weight])


@pytest.mark.parametrize("pooling", ["last", "mean", "attention"])
@pytest.mark.parametrize("family", ["gpt2", "llama", "bert", "bloom"])
def test_the_side_of_the_padding_does_not_matter(family, pooling):
    model = settled(family, pooling)
    texts = [text for texts in groups() for text in texts]
    right = torch.nn.utils.rnn.pad_sequence(texts, batch_first=True, padding_value=END)
    mask = torch.arange(right.size(1)) < torch.tensor([len(text) for text in texts]).unsqueeze(1)
    left = torch.stack([row.roll(int((~m).sum())) for row, m in zip(right, mask, strict=True)])
    near(model.score_padded(right, mask), alone(model, groups()))
    near(model.score_padded(left, mask.flip(1)), alone(model, groups()))


@pytest.mark.parametrize("family", ["gpt2", "qwen2", "bert", "gpt_neo"])
def test_rewards_do_not_depend_on_the_batch_size(family):
    model = settled(family)
    batch = [group(6, 2 + number, 9 - number, seed=number * 10) for number in range(8)]
    near(model(batch), torch.cat([model([pair]) for pair in batch]))
    near(model(batch), model.score([text for pair in batch for text in pair]))


def test_permuting_pairs_permutes_rewards():
    model, batch = settled("llama"), [group(7, 3, 5, seed=n) for n in (0, 10, 20)]
    order = [2, 0, 1]
    moved = model([batch[number] for number in order])
    near(moved.view(3, 2), model(batch).view(3, 2)[order])


def test_swapping_the_answers_flips_the_lead():
    model = settled()
    pair = group(9, 6, 3)
    chosen, rejected = model([pair])
    swapped = model([pair[::-1]])
    near(swapped[0] - swapped[1], rejected - chosen)


@pytest.mark.parametrize("family", ["gpt2", "llama", "bert"])
def test_identical_answers_have_one_reward(family):
    model, text = settled(family), tokens(12, 3)
    rewards = model([[text, text.clone()]])
    near(rewards, model.score_alone(text).expand(2))


@pytest.mark.parametrize("family", ["gpt2", "llama", "bert"])
def test_one_answer_may_be_the_beginning_of_the_other(family):
    model, text = settled(family), tokens(12, 3)
    batch = [[text, text[:7]], [text[:4], text]]
    near(model(batch), alone(model, batch))


@pytest.mark.parametrize("family", ["gpt2", "llama", "bert"])
def test_answers_and_texts_of_one_token(family):
    model = settled(family)
    batch = [group(11, 1, 1), [tokens(1, 5), tokens(1, 6)], [tokens(1, 7)]]
    near(model(batch), alone(model, batch))


def test_a_first_token_that_all_texts_share_is_shared():
    # What a tokenizer that adds a first token makes of a pair without a prompt.
    model, first = settled("llama"), torch.tensor([2])
    pair = [torch.cat((first, text)) for text in group(0, 5, 8)]
    assert common_prefix(pair) == 1
    near(model([pair]), alone(model, [pair]))


@pytest.mark.parametrize("empty", [[], [torch.tensor([], dtype=torch.long)]])
def test_what_has_no_tokens_has_no_reward(empty):
    with pytest.raises(UserError, match="WS991: group 1 "):
        settled()([group(3, 2), empty])


def test_a_beginning_leaves_each_text_a_token():
    text = tokens(5, 1)
    assert common_prefix([text, text]) == 4
    assert common_prefix([text, text[:3]]) == 2
    assert common_prefix([text[:1], text]) == 0
    assert common_prefix([text]) == 0


@pytest.mark.parametrize("family", ENCODERS)
def test_an_encoder_shares_no_beginning(family):
    assert not settled(family).settle(32).shared_prefix
