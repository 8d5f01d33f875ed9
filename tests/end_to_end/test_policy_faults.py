"""`check` on a hand-written PPO over tokens: classic faults, each put into a program that works.

The program itself is among the healthy ones. More ways to make the last three are in
tests/observe/test_token_faults.py.
"""

from pathlib import Path

import pytest

from wellshaped.execute.program import Program
from wellshaped.pipeline.check import check

pytestmark = pytest.mark.slow

PROGRAM = Path(__file__).parents[1] / "healthy" / "rl_ppo_tokens.py"
SQUARE = "((new_values[:, :-1] - returns) ** 2 * mask).sum() / mask.sum()"
COLUMN = (
    ("self.value(states).squeeze(-1)", "self.value(states)"),
    ("values = values[:, :-1] * mask", "values = values[:, :-1, 0] * mask"),
)
RATIO = "(log_probs(logits, tokens) - old).exp()"
FAULTS = {
    "values of (B, T, 1) against returns of (B, T)": ("WS222", COLUMN),
    "the same in a loss of torch": (
        "WS101",
        (*COLUMN, (SQUARE, "F.mse_loss(new_values[:, :-1], returns)")),
    ),
    "an advantage for each row on the axis of tokens": (
        "WS222",
        (("advantages = whiten(advantages, mask)", "advantages = scores - scores.mean()"),),
    ),
    "a policy that is detached": (
        "WS306",
        ((RATIO, "(log_probs(logits, tokens).detach() - old).exp()"),),
    ),
    "minus the reward as the loss": (
        "WS316",
        (("policy_loss + 0.1 * value_loss", "-scores.mean().requires_grad_()"),),
    ),
    "log-probabilities one place off": (
        "WS311",
        (("F.log_softmax(logits[:, :-1], dim=-1)", "F.log_softmax(logits[:, 1:], dim=-1)"),),
    ),
    "advantages whitened with their padding": (
        "WS310",
        (
            ("mean = (advantages * mask).sum() / n", "mean = advantages.mean()"),
            ("((advantages - mean) ** 2 * mask).sum() / (n - 1)", "advantages.var()"),
        ),
    ),
    "the score at a padded position": (
        "WS308",
        (("rewards[torch.arange(len(texts)), lengths - 1] += scores", "rewards[:, -1] += scores"),),
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_classic_fault_of_ppo_is_found(fault, tmp_path):
    code, edits = FAULTS[fault]
    text = PROGRAM.read_text(encoding="utf-8")
    for before, after in edits:
        assert text.count(before) == 1
        text = text.replace(before, after)
    program = tmp_path / "ppo.py"
    program.write_text(text, encoding="utf-8")
    found = check(Program(str(program)), budget=240, try_out=False).report.findings
    assert [each.diagnosis.finding.code for each in found] == [code]
