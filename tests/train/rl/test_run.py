"""Runs leave whole results, go on after a kill to the same bits, and are shared by processes."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM, AutoTokenizer

from tests.floats import DEEP
from tests.train.rl.runs import improved, weights
from tests.train.tables import table
from wellshaped.records.phrase import Phrase, UserError
from wellshaped.records.training.progress import Ended, Step
from wellshaped.records.training.samples import Samples
from wellshaped.train.rl.prompts import Coder
from wellshaped.train.rl.result import VALUES
from wellshaped.train.rl.start import load_reward

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def straight(start, tmp_path_factory):
    """A run without interruptions, with all that it told."""
    told = []
    trained = improved(start, tmp_path_factory.mktemp("run") / "straight", tell=told.append)
    return trained, told


def test_demonstrations_make_a_model_that_transformers_loads(start):
    model = AutoModelForCausalLM.from_pretrained(start)
    tokenizer = AutoTokenizer.from_pretrained(start)
    prompt = Coder(tokenizer, length=64).prompt({"prompt": "review of the old hotel :"})
    made = model.generate(torch.tensor([prompt.tokens]), do_sample=False, max_new_tokens=20)
    assert tokenizer.decode(made[0]).startswith("review of the old hotel : the ")
    lines = table(start, "train")
    assert float(lines[-1]["loss"]) < float(lines[0]["loss"])


def test_the_result_is_the_policy_its_tokenizer_and_its_values(start, straight):
    trained, _ = straight
    loaded = AutoModelForCausalLM.from_pretrained(trained.folder)
    tokens_BT = torch.tensor([[5, 6, 7]])
    assert torch.allclose(loaded(tokens_BT).logits, trained.model(tokens_BT).logits, atol=1e-5)
    before = AutoModelForCausalLM.from_pretrained(start)
    assert not torch.allclose(loaded(tokens_BT).logits, before(tokens_BT).logits, atol=1e-3)
    assert "head.linear.weight" in load_file(trained.folder / VALUES)
    assert AutoTokenizer.from_pretrained(trained.folder).eos_token_id == 0


def test_a_run_tells_steps_texts_and_its_end(straight):
    _, told = straight
    steps = [one for one in told if isinstance(one, Step)]
    assert [one.step for one in steps if not one.evaluated] == [1, 2, 3, 4]
    assert [one.step for one in steps if one.evaluated] == [0, 2, 4]
    assert {"score", "kl", "entropy", "length", "value_loss", "clip_fraction"} <= set(
        steps[1].values
    )
    texts = [one for one in told if isinstance(one, Samples)]
    assert all(one.prompt.startswith("review of") for each in texts for one in each.samples)
    assert isinstance(told[-1], Ended)
    assert (told[-1].how, told[-1].step) == ("finished", 4)


def test_tables_curves_and_texts_are_kept(straight):
    folder = straight[0].folder
    rows = table(folder, "train")
    assert [row["step"] for row in rows] == ["1", "2", "3", "4"]
    assert float(rows[0]["first_ratio"]) == pytest.approx(1.0, abs=DEEP["atol"])
    for name in ("kl", "entropy", "value_loss", "clip_fraction", "length"):
        assert f">{name}<" in (folder / "curves.svg").read_text()
    assert (folder / "curves.png").stat().st_size > 1000
    lines = [json.loads(line) for line in (folder / "samples.jsonl").read_text().splitlines()]
    assert [line["step"] for line in lines] == [0] * 5 + [2] * 5 + [4] * 5
    assert {"prompt", "response", "score", "kl"} <= set(lines[0])


def test_a_folder_is_not_begun_twice(start, straight):
    with pytest.raises(UserError, match="WS986"):
        improved(start, straight[0].folder)
    with pytest.raises(UserError, match=r"WS985.*`clip`"):
        improved(start, straight[0].folder, resume=True, clip=0.3)


def test_an_interrupt_leaves_a_checkpoint_that_goes_on(start, straight, tmp_path):
    told = []

    def interrupt(record):
        told.append(record)
        if isinstance(record, Step) and record.step == 2 and not record.evaluated:
            os.kill(os.getpid(), signal.SIGINT)

    out = tmp_path / "run"
    assert improved(start, out, tell=interrupt).ended.how == "interrupted"
    assert not (out / "config.json").exists()
    told.clear()
    again = improved(start, out, resume=True, tell=told.append)
    assert Phrase("run_goes_on", {"step": 3}) in told
    assert again.ended.how == "finished"
    found, expected = weights(again), weights(straight[0])
    assert all(found[name].equal(expected[name]) for name in expected)
    for name in ("samples.jsonl", "log/evaluation.csv"):
        assert (out / name).read_text() == (straight[0].folder / name).read_text()


def command(*arguments):
    return [sys.executable, "-m", "tests.train.rl.runs", *map(str, arguments)]


def test_after_a_kill_the_weights_are_the_same_to_the_last_bit(start, straight, tmp_path):
    out, result = tmp_path / "run", tmp_path / "result.safetensors"
    child = subprocess.Popen(command(start, out, result), cwd=ROOT, stderr=subprocess.DEVNULL)
    limit = time.monotonic() + 120
    while not list((out / "checkpoints").glob("step-*")) and time.monotonic() < limit:
        time.sleep(0.02)
    child.kill()
    child.wait()
    assert not result.exists()
    trained = improved(start, out, resume=True)
    found, expected = weights(trained), weights(straight[0])
    assert all(found[name].equal(expected[name]) for name in expected)
    theirs, ours = (load_file(each.folder / VALUES) for each in (trained, straight[0]))
    assert all(theirs[name].equal(ours[name]) for name in ours)


def test_an_adapter_is_kept_and_goes_on(start, tmp_path):
    options = {"lora": 4, "value": "shared", "learning_rate": 1e-2}
    whole = improved(start, tmp_path / "whole", **options)
    assert (whole.folder / "adapter_config.json").exists()
    saved = load_file(whole.folder / "checkpoints" / "step-00000004" / "model.safetensors")
    assert all("lora" in name or "head.linear" in name for name in saved)
    loaded = AutoModelForCausalLM.from_pretrained(whole.folder)
    tokens_BT = torch.tensor([[5, 6, 7]])
    assert torch.allclose(loaded(tokens_BT).logits, whole.model(tokens_BT).logits, atol=1e-5)


def test_why_texts_are_padded_is_told_once(start, tmp_path, monkeypatch):
    monkeypatch.setattr("wellshaped.train.rl.packing.TOLERANCES", {torch.float32: -1.0})
    told = []
    improved(start, tmp_path / "run", tell=told.append, updates=2)
    assert [one.name for one in told if isinstance(one, Phrase)] == ["short_cut_differs"]


def test_what_does_not_fit_is_told(start, tmp_path):
    with pytest.raises(UserError, match=r"WS999.*leave no room"):
        improved(start, tmp_path / "a", response_length=256)
    with pytest.raises(UserError, match=r"WS993"):
        improved(tmp_path / "nowhere", tmp_path / "b")
    with pytest.raises(UserError, match=r"WS988.*`clips`"):
        improved(start, tmp_path / "c", clips=0.2)
    with pytest.raises(UserError, match=r"WS988.*`value`"):
        improved(start, tmp_path / "d", value="none")
    with pytest.raises(UserError, match=r"WS995"):
        load_reward("nowhere.py:reward")
