"""Faults of policies that write tokens, each put into a healthy program: what a traced run says."""

import contextlib
import io
import linecache
from pathlib import Path

import pytest

from wellshaped.diagnose.faults.detect import detectors
from wellshaped.observe.trace.detect import detect_hazards
from wellshaped.observe.trace.gradients import gradients_noted
from wellshaped.pipeline.diagnosis import diagnose

pytestmark = pytest.mark.slow

HEALTHY = Path(__file__).parents[3] / "healthy"
ROLLOUT, GROUPS = "rl_ppo_rollout.py", "rl_grpo_groups.py"
LEFT, TO_GO, PAIRS = (
    "rl_reinforce_left_padded.py",
    "rl_reinforce_reward_to_go.py",
    "lm_preferences_dpo.py",
)
ENDS = "rewards[torch.arange(len(ids)), lengths - 1] += scores"
SHIFTED = "logps = model(ids)[:, :-1].log_softmax(-1)"
LOOKED_UP = "torch.gather(logps, 2, ids[:, 1:, None])[..., 0]"

# A program, its edits, and the code with a piece of the line it is found on.
FAULTS = {
    "scores cut at the wrong end": (
        ROLLOUT,
        {"logits = logits[:, start - 1 : -1].clone()": "logits = logits[:, start:].clone()"},
        ("WS311", "new = F.log_softmax(logits"),
    ),
    "the model is given what it is to say": (
        LEFT,
        {"writer(tokens[:, :-1])": "writer(tokens[:, 1:])"},
        ("WS311", "chosen = logp.gather("),
    ),
    "a distribution asked for the tokens before it": (
        GROUPS,
        {
            SHIFTED: "logits = model(ids)[:, 1:]",
            LOOKED_UP: "torch.distributions.Categorical(logits=logits).log_prob(ids[:, 1:])",
        },
        ("WS311", "Categorical(logits=logits)"),
    ),
    "labels that nobody moved": (
        PAIRS,
        {"model(ids)[:, :-1], ids[:, 1:], mask[:, 1:]": "model(ids), ids, mask"},
        ("WS311", "each = -F.cross_entropy("),
    ),
    "scores of a method, looked up by an index": (
        GROUPS,
        {
            "logps = model(ids)[:, :-1].log_softmax(-1)": "logps = model.forward(ids)",
            LOOKED_UP: "logps.log_softmax(-1)[torch.arange(len(ids))[:, None], "
            "torch.arange(ids.shape[1]), ids][:, 1:]",
        },
        ("WS311", "torch.arange(ids.shape[1]), ids]"),
    ),
    "scores weighted by one-hot vectors": (
        GROUPS,
        {
            SHIFTED: "logps = model(ids).log_softmax(-1)",
            LOOKED_UP: "(logps * F.one_hot(ids, VOCAB)).sum(-1)[:, 1:]",
        },
        ("WS311", "F.one_hot(ids, VOCAB)"),
    ),
    "policy and reference cut at different ends": (
        GROUPS,
        {
            "gap = ref_logps - logps": "gap = torch.zeros_like(logps)\n"
            "    gap[:, 1:] = ref_logps[:, :-1] - logps[:, 1:]"
        },
        ("WS311", "ref_logps[:, :-1] - logps[:, 1:]"),
    ),
    "whitened over zeros": (
        ROLLOUT,
        {"real = advantages[mask.bool()]": "real = advantages = advantages * mask"},
        ("WS310", "real.std()"),
    ),
    "whitened row by row": (
        ROLLOUT,
        {
            "real = advantages[mask.bool()]": "for row in range(len(advantages)):",
            "        advantages = (advantages - real.mean()) / (real.std() + 1e-8)": "            "
            "advantages[row] -= advantages[row].mean()\n"
            "            advantages[row] = advantages[row] / (advantages[row].std() + 1e-8)",
        },
        ("WS310", "advantages[row].std()"),
    ),
    "whitened over prompts": (
        LEFT,
        {"scale = returns[answer > 0]": "scale = returns"},
        ("WS310", "scale.std()"),
    ),
    "whitened, and flattened later": (
        ROLLOUT,
        {
            "real = advantages[mask.bool()]": "real = advantages",
            "loss = ((0.1 * wrong - gain) * mask).sum() / mask.sum()": "kept = mask.reshape(-1)\n"
            "        loss = (0.1 * wrong - gain).reshape(-1)[kept.bool()].mean()",
        },
        ("WS310", "real.std()"),
    ),
    "padding in a sum of log-probabilities": (
        PAIRS,
        {"(each * real).sum(-1)": "each.sum(-1)"},
        ("WS312", "each.sum(-1)"),
    ),
    "a score read at the last place": (
        ROLLOUT,
        {
            "policy = Policy()": "policy, judge = Policy(), Policy()",
            "scores = ((words % 2 == 0) * mask).sum(1)": "with torch.no_grad():\n"
            "        scores = judge(ids)[1][:, -1]",
        },
        ("WS307", "scores = judge(ids)[1][:, -1]"),
    ),
    "scores put row by row": (
        ROLLOUT,
        {
            ENDS: "for row, score in enumerate(scores):\n            rewards[row, -1] = score",
        },
        ("WS308", "rewards[row, -1] = score"),
    ),
    "scores put as a column": (
        ROLLOUT,
        {ENDS: "rewards[:, -1:] += scores.unsqueeze(1)"},
        ("WS308", "rewards[:, -1:] += scores"),
    ),
    "scores joined behind zeros": (
        ROLLOUT,
        {
            "rewards = torch.zeros_like(old)": "zeros = torch.zeros_like(old[:, 1:])",
            ENDS: "rewards = torch.cat([zeros, scores.unsqueeze(1)], dim=1)",
        },
        ("WS308", "rewards = torch.cat("),
    ),
    "scores joined where they were added": (
        ROLLOUT,
        {
            "rewards = torch.zeros_like(old)": "rewards = -0.1 * old * mask",
            ENDS: "rewards = torch.cat([rewards[:, :-1], rewards[:, -1:] + scores[:, None]], 1)",
        },
        ("WS308", "rewards = torch.cat("),
    ),
    "scores put before there is a mask, by a number": (
        ROLLOUT,
        {
            "    mask = (ended == 0).float()\n    lengths = mask.sum(1).long()\n": "",
            "scores = ((words % 2 == 0) * mask).sum(1)": "scores = (words % 2 == 0).sum(1).float()",
            ENDS: "rewards[:, words.size(1) - 1] += scores\n        mask = (ended == 0).float()",
        },
        ("WS308", "rewards[:, words.size(1) - 1]"),
    ),
    "a score put by a function that sees no mask": (
        ROLLOUT,
        {
            "policy = Policy()": "def put(rewards, scores):\n    rewards[:, -1] += scores\n\n\n"
            "policy = Policy()",
            ENDS: "put(rewards, scores)",
        },
        ("WS308", "    rewards[:, -1] += scores"),
    ),
    "a score discounted through padding": (
        TO_GO,
        {
            "to_go = rewards.flip(1).cumsum(1).flip(1)": "to_go, running = rewards.clone(), 0.0\n"
            "    for t in reversed(range(8)):\n"
            "        running = rewards[:, t] + 0.9 * running\n"
            "        to_go[:, t] = running"
        },
        ("WS308", "rewards[:, -1] = score - score.mean()"),
    ),
}


def told(program: Path) -> list[tuple[str, int]]:
    """The code and the line of all that a traced run finds in a program."""
    linecache.checkcache(str(program))
    code = compile(program.read_text(encoding="utf-8"), str(program), "exec")
    with (
        gradients_noted(entries=False) as gradients,
        detect_hazards(detectors(), None, gradients) as trace,
        contextlib.redirect_stdout(io.StringIO()),
    ):
        exec(code, {"__name__": "__main__", "__file__": str(program)})
    found = [diagnose(each) for each in trace.observations]
    return [(e.finding.code, e.finding.observation.passage.place.line) for e in found if e]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found_on_its_line(fault, tmp_path):
    name, edits, (code, piece) = FAULTS[fault]
    text = (HEALTHY / name).read_text(encoding="utf-8")
    for before, after in edits.items():
        assert text.count(before) == 1
        text = text.replace(before, after)
    program = tmp_path / name
    program.write_text(text, encoding="utf-8")
    line = next(k for k, each in enumerate(text.splitlines(), 1) if piece in each)
    assert told(program) == [(code, line)]
