"""The demo of a policy goes the whole way; here with little data, so that only its form counts."""

import pytest

from examples.policy import show
from wellshaped.train import toy_task
from wellshaped.train.rlhf_run import RlhfPlan


@pytest.fixture(autouse=True, scope="module")
def _one_thread(one_thread):
    """Small models only wait for a second thread."""


@pytest.mark.slow
def test_the_demo_shows_texts_before_and_after(tmp_path):
    learned, held_out = toy_task.prompts(0)
    small = {"updates": 1, "prompts": 4, "minibatch": 4, "epochs": 1, "response_length": 8}
    plan = RlhfPlan(
        sft={"data": toy_task.demonstrations(0)[:64]},
        reward={"data": toy_task.preferences(0)[:48]},
        policy={"data": learned, "held_out": held_out[:4], **small},
    )
    lines = list(show(plan, tmp_path))
    shown = "\n".join(lines)
    assert "before  true reward" in shown
    assert "after   true reward" in shown
    assert lines[-1].endswith("seconds")
