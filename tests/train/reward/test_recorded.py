"""Steps of training come to what TRL's `RewardTrainer` came to, on the same weights and batches.

`benchmarks/reward_recorded.py` wrote down what TRL computed; TRL itself is not needed.
"""

import json
from functools import partial

import pytest

from benchmarks.reward_recorded import BATCH, CASES, CLIP, RATE, RECORDED, classifier, rows
from wellshaped.train.algorithms.reward import PreferenceLoss, reward_step
from wellshaped.train.data.comparisons import Comparison, Comparisons
from wellshaped.train.distributed.processes import join
from wellshaped.train.loop import Loop
from wellshaped.train.loop_settings import LoopSettings
from wellshaped.train.reward.comparison_batches import comparison_batch
from wellshaped.train.reward.model import RewardModel
from wellshaped.train.training_task import Batches, TrainingTask

# From the second step on the weights are those that Adam made, of gradients that are nothing but
# rounding too; a forgotten margin or another mean is a hundred times further away.
APART = (1e-5, 2e-3, 2e-3, 2e-3)
TRL = json.loads(RECORDED.read_text(encoding="utf-8"))["cases"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("recorded")
    classifier().save_pretrained(made)
    return made


def trained(folder, case, *, fast):
    """The loss of each step, and the rewards of its texts, by our loop."""
    data = Comparisons(
        Comparison(
            (tuple(row["chosen_ids"]), tuple(row["rejected_ids"])), (row.get("margin", 0.0),)
        )
        for row in rows(case)
    )
    plan = [range(first, first + BATCH) for first in range(0, len(data), BATCH)]
    model = RewardModel.from_pretrained(folder, fast=fast)
    model.settle(max(data.longest()))
    assert model.plan.short_cuts == (3 if fast else 0)
    losses, rewards = [], []
    model.register_forward_hook(lambda _, __, found: rewards.append(found.tolist()))
    preference = PreferenceLoss(centring=CASES[case].get("centring", 0.0))
    Loop(
        TrainingTask(
            model,
            Batches(lambda _: plan, partial(comparison_batch, data), len(data)),
            partial(reward_step, model, preference),
        ),
        LoopSettings(
            epochs=1, learning_rate=RATE, schedule="constant", clip=CLIP, weight_decay=0.0
        ),
        accelerator=join(),
        tell=lambda told: losses.append(told.values["loss"]),
    ).run()
    return losses, rewards


@pytest.mark.parametrize("fast", [True, False], ids=["packed", "padded"])
@pytest.mark.parametrize("case", CASES)
def test_losses_and_rewards_are_those_of_trl(folder, case, fast):
    losses, rewards = trained(folder, case, fast=fast)
    recorded = TRL[case]
    for loss, ours, theirs, apart in zip(losses, rewards, recorded, APART, strict=True):
        assert loss == pytest.approx(theirs["loss"], abs=apart)
        assert ours[0::2] == pytest.approx(theirs["chosen"], abs=apart)
        assert ours[1::2] == pytest.approx(theirs["rejected"], abs=apart)


def test_the_steps_learn_and_the_cases_differ():
    last = [TRL[case][-1]["chosen"] for case in CASES]
    assert all(one != other for place, one in enumerate(last) for other in last[:place])
