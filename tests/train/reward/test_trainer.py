"""The step and the evaluation of reward models: sums add up, weights and margins count."""

import pytest
import torch
from transformers import AutoModel

from tests.floats import DEEP, near
from tests.train.vocabularies import tiny
from wellshaped.records.mismatch import ShapeMismatch
from wellshaped.train.algorithms import reward
from wellshaped.train.algorithms.reward import PreferenceLoss, reward_step, reward_task
from wellshaped.train.data import reviews
from wellshaped.train.data.bad_rows import BadRows
from wellshaped.train.data.encoder import Encoder
from wellshaped.train.data.preference_data import read_comparisons
from wellshaped.train.distributed.processes import join
from wellshaped.train.loop import Loop
from wellshaped.train.models.tiny import tiny_config
from wellshaped.train.reward import comparison_batches
from wellshaped.train.reward.comparison_batches import comparison_batch
from wellshaped.train.reward.evaluation import evaluate
from wellshaped.train.reward.layout import lay_out
from wellshaped.train.reward.model import RewardModel
from wellshaped.train.supervised import supervised_settings
from wellshaped.train.training_task import bucketed


def read(rows):
    return read_comparisons(rows, Encoder(tiny(), length=128), bad=BadRows())[0]


def some(count, *, seed=1):
    """Preferences of which some have two rejected answers, margins and weights."""
    rows: list[dict] = reviews.preferences(count, seed=seed)
    for place, row in enumerate(rows):
        if place % 3 == 1:
            row["rejected"] = [row["rejected"], " the floor was ugly ."]
        row |= {"weight": 1 + place % 2, "margin": 0.1 * place}
    return rows


@pytest.fixture
def model():
    torch.manual_seed(2)
    return RewardModel(AutoModel.from_config(tiny_config(tiny(), width=32, positions=128)))


def run(model, rows, **settings):
    told: list = []
    chosen = supervised_settings("reward", {"learning_rate": 1e-2, "warmup": 0, **settings})
    accelerator = join()
    task = reward_task(model, read(rows), read([]), chosen, accelerator=accelerator)
    Loop(task, chosen.loop, accelerator=accelerator, tell=told.append).run()
    return told


def gradients(model, comparisons, batches, *, preference=None):
    """The loss over all batches and its gradients, as the loop takes them: sums, then a share."""
    model.zero_grad()
    made = [
        reward_step(
            model, preference or PreferenceLoss(), model, comparison_batch(comparisons, places)
        )
        for places in batches
    ]
    count = sum(each.count for each in made)
    loss = sum(each.loss for each in made) / count
    loss.backward()
    return loss.item(), {name: each.grad.clone() for name, each in model.named_parameters()}


def test_pitfall_22_eight_batches_of_one_are_one_batch_of_eight(model):
    # Two answers more in some rows, and other weights: the mean is over pairs, not over batches.
    comparisons = read(some(8))
    loss, wanted = gradients(model, comparisons, [range(8)])
    parts, found = gradients(model, comparisons, [[place] for place in range(8)])
    assert parts == near(loss)
    for name, gradient in found.items():
        torch.testing.assert_close(gradient, wanted[name], **DEEP)


def test_pitfall_22_so_does_the_loop(model):
    before = {name: each.clone() for name, each in model.state_dict().items()}
    (one,) = run(model, some(8), batch=8)
    model.load_state_dict(before)
    (eight,) = run(model, some(8), batch=1, accumulate=8)
    for name in ("loss", "accuracy", "margin", "gradient_norm"):
        assert one.values[name] == near(eight.values[name], within=DEEP), name


def test_a_weight_of_two_is_the_row_twice_and_of_zero_is_no_row(model):
    rows: list[dict] = reviews.preferences(3, seed=1)
    weighted = [rows[0] | {"weight": 2}, rows[1] | {"weight": 0}, rows[2]]
    loss, found = gradients(model, read(weighted), [range(3)])
    twice, wanted = gradients(model, read([rows[0], rows[0], rows[2]]), [range(3)])
    assert loss == near(twice)
    for name, gradient in found.items():
        torch.testing.assert_close(gradient, wanted[name], **DEEP)


def test_a_margin_of_the_data_adds_to_that_of_the_settings(model):
    rows: list[dict] = reviews.preferences(2, seed=1)
    own, _ = gradients(model, read([row | {"margin": 0.7} for row in rows]), [range(2)])
    shared, _ = gradients(model, read(rows), [range(2)], preference=PreferenceLoss(margin=0.7))
    without, _ = gradients(model, read(rows), [range(2)])
    assert own == near(shared)
    assert own > without + 0.1


def test_swapping_the_answers_flips_the_margin(model):
    rows = reviews.preferences(6, seed=1)
    swapped = [row | {"chosen": row["rejected"], "rejected": row["chosen"]} for row in rows]
    found = [
        reward_step(model, PreferenceLoss(), model, comparison_batch(read(each), range(6))).sums[
            "margin"
        ]
        for each in (rows, swapped)
    ]
    assert float(found[0]) == near(-float(found[1]), within=DEEP)


def test_several_rejected_answers_are_as_many_pairs(model):
    (row,) = reviews.preferences(1, seed=1)
    others = [row["rejected"], " the floor was ugly ."]
    together = reward_step(
        model, PreferenceLoss(), model, comparison_batch(read([row | {"rejected": others}]), [0])
    )
    apart = comparison_batch(read([row | {"rejected": each} for each in others]), [0, 1])
    alone = reward_step(model, PreferenceLoss(), model, apart)
    assert together.count == alone.count == 2
    assert together.loss.item() == near(alone.loss.item())


def test_every_comparison_is_in_one_batch_of_each_epoch_with_others_of_its_length():
    comparisons = read(reviews.preferences(101, seed=4))
    batches = bucketed(comparisons.longest(), list, size=8, seed=3)
    first, second = batches.plan(0), batches.plan(1)
    assert sorted(place for batch in first for place in batch) == list(range(101))
    assert first != second
    assert batches.plan(0) == first
    longest = comparisons.longest()
    spread = [max(longest[p] for p in each) - min(longest[p] for p in each) for each in first]
    assert sum(spread) / len(spread) < 3


def test_tokens_are_counted_with_and_without_padding(model):
    batch = comparison_batch(read(reviews.preferences(5, seed=1)), range(5))
    lengths = [len(text) for texts in batch.groups for text in texts]
    packed = reward_step(model, PreferenceLoss(), model, batch)
    assert model.plan.shared_prefix
    _, laid = lay_out(batch.groups, share=True)
    assert (packed.tokens, packed.computed) == (sum(lengths), sum(group.tokens for group in laid))
    assert packed.shared == packed.tokens - packed.computed > 0
    model._fast, model.plan = False, type(model.plan)(False, False, False)
    padded = reward_step(model, PreferenceLoss(), model, batch)
    assert (padded.tokens, padded.computed) == (sum(lengths), max(lengths) * len(lengths))
    assert padded.shared is None


def test_what_is_shared_is_no_padding_and_padding_is_shown(model):
    rows = reviews.preferences(8, seed=1)
    (packed,) = run(model, rows, batch=8)
    assert packed.values["padding"] == 0
    assert 0 < packed.values["shared"] < 1
    model._fast, model.plan = False, type(model.plan)(False, False, False)
    (padded,) = run(model, rows, batch=8)
    assert 0 < padded.values["padding"] < 1
    assert "shared" not in padded.values


def test_evaluation_does_not_depend_on_the_size_of_its_batches(model):
    comparisons = read(some(13))
    accelerator = join()
    with torch.no_grad():
        found = [
            evaluate(comparisons, PreferenceLoss(), size=size, accelerator=accelerator, model=model)
            for size in (1, 5, 64)
        ]
        rewards = [model.score([torch.tensor(text)]) for each in comparisons for text in each.texts]
    for name, value in found[0].items():
        assert [each[name] for each in found[1:]] == near([value] * 2, within=DEEP)
    rewards_N = torch.cat(rewards)
    assert found[0]["reward_mean"] == near(float(rewards_N.mean()), within=DEEP)
    assert found[0]["reward_std"] == near(float(rewards_N.std(correction=0)), within=DEEP)


def test_a_guard_is_on(model, monkeypatch):
    pair_rewards = comparison_batches.pair_rewards

    def crossed(rewards_N, sizes):
        chosen_P, rejected_P = pair_rewards(rewards_N, sizes)
        return chosen_P.unsqueeze(1), rejected_P

    def plain(chosen, rejected, *_, **__):
        torch.nn.functional.mse_loss(chosen, rejected)

    monkeypatch.setattr(comparison_batches, "pair_rewards", crossed)
    monkeypatch.setattr(reward, "preference_loss", plain)
    with pytest.raises(ShapeMismatch):
        run(model, some(4), batch=4)
