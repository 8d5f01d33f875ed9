"""Updates do not depend on how they are cut into passes, and go on where they were left."""

import pytest

from tests.floats import DEEP, near
from tests.train.rl.learners import farthest, learner, weights
from tests.train.rl.models import policy
from wellshaped.records.phrase import UserError

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("packed_always")]

METHODS = ["ppo", "reinforce"]


@pytest.mark.parametrize(
    ("method", "value"), [("ppo", "separate"), ("ppo", "shared"), ("reinforce", "none")]
)
def test_the_first_ratio_is_one_and_the_first_kl_zero(method, value):
    one = learner(method=method, **({} if value == "none" else {"value": value}))
    _, shown = one.update()
    assert shown["first_ratio"] == pytest.approx(1.0, abs=DEEP["atol"])
    assert shown["kl"] == pytest.approx(0.0, abs=1e-4)
    _, later = one.update()
    assert later["first_ratio"] == pytest.approx(1.0, abs=DEEP["atol"])
    assert later["kl"] != pytest.approx(0.0, abs=1e-4)


@pytest.mark.parametrize("method", METHODS)
def test_eight_rows_at_once_are_one_row_eight_times(method):
    whole, single = learner(method=method), learner(method=method, rows=1)
    before = weights(whole)
    (_, shown), (_, same) = whole.update(), single.update()
    assert farthest(weights(whole), weights(single)) < DEEP["atol"]
    assert farthest(weights(whole), before) > 1e-4
    for name in ("policy_loss", "entropy", "ratio", "moved"):
        assert shown[name] == pytest.approx(same[name], abs=DEEP["atol"])


@pytest.mark.parametrize("method", METHODS)
def test_a_run_goes_on_to_the_same_bits(method):
    options = {"method": method, "kl_target": 0.1, "kl_horizon": 100, "normalise": 12}
    straight = learner(**options)
    straight.begin()
    for _ in range(3):
        straight.update()
    first = learner(**options)
    first.begin()
    first.update()
    saved, state = weights(first), first.state()
    second = learner(**options)
    second.core.load_state_dict(saved)
    second.restore(state)
    for _ in range(2):
        second.update()
    assert farthest(weights(straight), weights(second)) == 0
    assert straight.coefficient.value == second.coefficient.value != 0.05
    assert straight.scale == second.scale != (0.0, 1.0)


def test_a_policy_that_gets_no_gradient_is_told():
    with pytest.raises(UserError, match=r"WS997.*none of the 0 trained parameters"):
        learner(policy().requires_grad_(False)).update()

    class Cut(type(policy())):
        def forward(self, *args, **kwargs):
            found = super().forward(*args, **kwargs)
            found.logits = found.logits.detach()
            return found

    model = policy()
    model.__class__ = Cut
    with pytest.raises(UserError, match=r"WS997.*trained parameters of the policy"):
        learner(model).update()


def test_no_advantage_is_no_missing_gradient():
    one = learner(method="reinforce", reward=lambda texts: [1.0] * len(texts), kl=0.0,
                  missing_end_penalty=0.0)  # fmt: skip
    before = weights(one)
    one.update()
    assert farthest(before, weights(one)) == 0


def test_an_update_ends_when_the_policy_has_moved_too_far():
    one = learner(stop_kl=1e-6, epochs=5)
    _, shown = one.update()
    assert shown["epochs"] == 1


def test_samples_of_a_prompt_are_judged_against_each_other():
    one = learner(method="reinforce", prompts=4, samples=3, kl=0.0, missing_end_penalty=0.0)
    experience, _ = one.update()
    groups = [each.response.group for each in experience.scored]
    assert len(set(groups)) == 4
    for group in set(groups):
        rows = [row for row, each in enumerate(groups) if each == group]
        assert len(rows) == 3
        assert experience.advantages_BR[rows, 0].sum().item() == near(0, within=DEEP)


def test_every_prompt_has_its_turn():
    one = learner(prompts=4, minibatch=4, epochs=1)
    seen = [group for update in range(3) for group in one._groups(update)]
    assert sorted(seen) == sorted([*range(6)] * 2)


def test_both_methods_learn_to_write_even_tokens():
    for method in METHODS:
        one = learner(method=method, learning_rate=3e-3, prompts=24, minibatch=12, kl=0.01)
        shown = [one.update()[1]["score"] for _ in range(12)]
        assert sum(shown[-3:]) / 3 > sum(shown[:3]) / 3 + 1.5


def test_a_lora_policy_learns_and_its_reference_stays():
    from peft import LoraConfig, get_peft_model

    config = LoraConfig(target_modules=["q_proj", "v_proj"], lora_dropout=0.1)
    one = learner(get_peft_model(policy("llama"), config), value="shared")
    before = weights(one)
    _, first = one.update()
    _, second = one.update()
    after = weights(one)
    moved = {name for name in before if not before[name].equal(after[name])}
    assert moved
    assert all("lora" in name or "head.linear" in name for name in moved)
    assert first["kl"] == pytest.approx(0.0, abs=1e-4)
    assert second["kl"] != pytest.approx(0.0, abs=1e-4)
    assert second["first_ratio"] == pytest.approx(1.0, abs=DEEP["atol"])


def test_settings_that_do_not_fit_are_told():
    with pytest.raises(UserError, match=r"WS999.*`minibatch` is 99"):
        learner(minibatch=99)


@pytest.mark.parametrize("value", ["separate", "shared"])
def test_states_that_are_computed_again_change_nothing(value):
    plain, again = learner(value=value), learner(value=value, checkpointing=True)
    plain.update()
    again.update()
    assert farthest(weights(plain), weights(again)) < DEEP["atol"]
    assert again.core.model.is_gradient_checkpointing
