"""docs/ppo.md tells the truth: its commands and options are there, its example and plan work."""

import dataclasses
import importlib
import json
import re
from pathlib import Path

import pytest

from tests.train.rl.runs import taught
from wellshaped.cli import _parse
from wellshaped.train.rl import lesson
from wellshaped.train.rl.rlhf import read_plan
from wellshaped.train.rl.sampling import Sampling
from wellshaped.train.rl.settings import RunSettings, Settings, run_settings

pytestmark = pytest.mark.slow

PAGE = (Path(__file__).parents[3] / "docs" / "ppo.md").read_text(encoding="utf-8")


def block(kind):
    (found,) = re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)
    return found


def test_every_command_can_be_read():
    lines = [line.partition("#")[0].split()[1:] for line in block("sh").splitlines()]
    assert [_parse(line).command for line in lines] == ["rlhf", *["train"] * 4]


def test_every_option_is_one():
    parsers = importlib.import_module("wellshaped.cli")._parser()._actions[-1].choices
    known = parsers["train"]._actions[-1].choices["ppo"]._option_string_actions
    assert set(re.findall(r"`(--[a-z-]+)", PAGE)) <= set(known)
    names = {each.name for kind in (Settings, RunSettings, Sampling) for each in
             dataclasses.fields(kind)}  # fmt: skip
    told = set(re.findall(r"`([a-z]+_[a-z_]+|kl|lora|samples)`", PAGE)) - {"kl_shown"}
    assert len(told) > 8
    assert told <= names


def test_the_plan_can_be_read(tmp_path):
    file = tmp_path / "plan.toml"
    file.write_text(block("toml"))
    plan = read_plan(file)
    options = {name: value for name, value in plan.policy.items() if name != "data"}
    assert run_settings(options).learning.kl_target == 6.0


def test_the_example_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    taught("sft")
    rows = lesson.prompts(0)[0]
    Path("prompts.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    text = block("python")
    assert "updates=100" in text
    given = {}
    exec(text.replace("updates=100", "updates=1, prompts=4, minibatch=4"), given)
    assert given["trained"].ended.how == "finished"
