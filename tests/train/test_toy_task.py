"""One seed of the task that must be learned; `make bench-ppo` has five, longer, and without KL.

The true reward is never seen by the training: it learns from a reward model whose labels are
partly wrong. Shorter than the bench, so the mark is lower: gains of 1.75 and 1.39 were measured.
"""

import pytest

from benchmarks.ppo import improved
from tests.repeated import few
from wellshaped.train import toy_task
from wellshaped.train.supervised import train_reward, train_sft

SEED = 0


@pytest.fixture(scope="module")
def taught(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lesson")
    rows, pairs = toy_task.demonstrations(SEED)[:2400], toy_task.preferences(SEED)[:2400]
    train_sft(None, rows, out=folder / "sft", seed=SEED, **toy_task.SFT)
    train_reward(
        folder / "sft", pairs, out=folder / "reward", seed=SEED, tell=print, **toy_task.REWARD
    )
    return folder


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "updates"), few([("ppo", 12), ("reinforce", 20)], ("reinforce", 20))
)
def test_the_true_reward_rises_and_the_policy_stays_near(taught, method, updates):
    outcome = improved(SEED, taught, method, updates=updates)
    assert outcome.gain > 1.0
    assert 0.3 < outcome.kl < 6
    assert outcome.well_formed > 0.4


def test_texts_are_judged_as_they_were_demonstrated():
    texts = [row["response"] for row in toy_task.demonstrations(1)[:200]]
    assert toy_task.well_formed(texts) == 1.0
    assert toy_task.well_formed(
        [" the soup was warm and", " warm warm .", " the soup was warm ."]
    ) == (pytest.approx(1 / 3))
    assert toy_task.quality([" the soup was warm .", " the soup was stale ."]) == 0.0
    learned, held_out = toy_task.prompts(0)
    assert not {row["prompt"] for row in learned} & {row["prompt"] for row in held_out}
