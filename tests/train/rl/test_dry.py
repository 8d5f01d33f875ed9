"""The dry runs of policies: their own steps, in programs that check can see into."""

import json

import pytest
from transformers import AutoModelForCausalLM

from tests.train.dry import checked
from tests.train.vocabularies import tiny
from wellshaped.train import toy_task
from wellshaped.train.events import discard
from wellshaped.train.models.tiny import tiny_config
from wellshaped.train.rl import dry, dry_sft

pytestmark = pytest.mark.slow

SMALL = {"prompts": 8, "minibatch": 4, "response_length": 6}


@pytest.fixture
def folder(tmp_path):
    """A policy that knows nothing, demonstrations, prompts, and a reward."""
    tiny().save_pretrained(tmp_path / "model")
    config = tiny_config(tiny(), width=16, layers=1)
    AutoModelForCausalLM.from_config(config).save_pretrained(tmp_path / "model")
    for name, rows in (
        ("demonstrations", toy_task.demonstrations(0)[:12]),
        ("prompts", toy_task.prompts(0)[0][:12]),
    ):
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (tmp_path / f"{name}.jsonl").write_text(text, encoding="utf-8")
    reward = "def length(texts):\n    return [float(len(text)) for text in texts]\n"
    (tmp_path / "rewards.py").write_text(reward, encoding="utf-8")
    return tmp_path


def assert_clean(outcome, *sizes):
    assert not outcome.failure
    assert outcome.report.findings == ()
    assert set(sizes) <= set(outcome.met)
    assert len(outcome.met) >= 3


def test_demonstrations_are_clean_at_every_batch_size(folder):
    data = [folder / "demonstrations.jsonl"]
    text = dry_sft.program_text(folder / "model", data, skip=False, tell=discard, batch=6)
    assert_clean(checked(folder, text), 1, 6)


@pytest.mark.parametrize("method", ["ppo", "reinforce"])
def test_updates_are_clean_at_every_batch_size(folder, method):
    text = dry.program_text(
        folder / "model",
        [folder / "prompts.jsonl"],
        f"{folder / 'rewards.py'}:length",
        skip=False,
        tell=discard,
        method=method,
        **SMALL,
    )
    assert method in text
    assert_clean(checked(folder, text), 1, 4)
