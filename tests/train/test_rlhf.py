"""One plan goes the whole way, by file or by default, and goes on where it was left."""

import json

import pytest

from wellshaped.cli import main
from wellshaped.records.phrase import UserError
from wellshaped.train import toy_task
from wellshaped.train.rlhf_run import default_plan, read_plan

pytestmark = pytest.mark.slow

PLAN = """
seed = 3
[sft]
data = "shown.jsonl"
learning_rate = 5e-3
[reward]
data = "pairs.jsonl"
learning_rate = 1e-3
batch = 16
[policy]
data = "prompts.jsonl"
held_out = ["others.jsonl"]
updates = 2
prompts = 4
minibatch = 4
epochs = 1
response_length = 12
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("rlhf")
    learned, held_out = toy_task.prompts(0)
    for name, rows in {
        "shown": toy_task.demonstrations(0)[:96],
        "pairs": toy_task.preferences(0)[:64],
        "prompts": learned,
        "others": held_out[:4],
    }.items():
        (made / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (made / "plan.toml").write_text(PLAN)
    return made


def test_a_plan_goes_from_demonstrations_to_a_policy_and_on(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    command = ["rlhf", "plan.toml", "--out", "out", "--threads", "1"]
    assert main([*command, "--report", "page.html"]) == 0
    page = (folder / "page.html").read_text(encoding="utf-8")
    assert "review of the " in page
    assert "value_loss" in page
    shown = capsys.readouterr()
    for name in ("1 of 3", "2 of 3", "3 of 3"):
        assert name in shown.err
    assert shown.out.count("finished after") == 3
    assert "saved to out/policy" in shown.out
    assert "| review of the " in shown.err
    for stage in ("sft", "reward", "policy"):
        assert (folder / "out" / stage / "config.json").exists()
        assert (folder / "out" / stage / "curves.svg").exists()
    assert main(command) == 2
    assert "WS986" in capsys.readouterr().err
    assert main([*command, "--resume"]) == 0
    shown = capsys.readouterr()
    assert "`sft` is there already" in shown.err
    assert "step 1/2" not in shown.err


def test_each_stage_is_a_command(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    (folder / "mine.py").write_text("def short(texts):\n    return [-len(t) for t in texts]\n")
    sft = ["train", "sft", "--data", "shown.jsonl", "--out", "a", "--steps", "4", "--batch", "8"]
    assert main(sft) == 0
    assert "saved to a" in capsys.readouterr().out
    given = ["--model", "a", "--data", "prompts.jsonl", "--reward", "mine.py:short"]
    small = ["--updates", "2", "--prompts", "4", "--minibatch", "2", "--response-length", "8"]
    for method, option in (("ppo", "--slot=after"), ("reinforce", "--samples=2")):
        command = ["train", method, *given, *small, "--out", method, option, "--top-k", "9"]
        assert main(command) == 0
        shown = capsys.readouterr()
        assert f"saved to {method}" in shown.out
        assert "the KL that is shown and paid is not exact" in shown.err
        assert (folder / method / "samples.jsonl").exists()
    assert main(["train", "ppo", *given[:-1], "nowhere.py:short"]) == 2
    assert "error[WS995]" in capsys.readouterr().err
    (folder / "broken.py").write_text("def bad(texts):\n    return [float('nan') for t in texts]\n")
    command = ["train", "ppo", *given[:-1], "broken.py:bad", *small, "--out", "c", "--lang", "es"]
    assert main(command) == 2
    assert "error[WS996]: la recompensa dio nan para el texto 'review of" in capsys.readouterr().err


def test_plans_that_lack_something_are_told(folder, tmp_path):
    assert read_plan(folder / "plan.toml").policy["held_out"] == [str(folder / "others.jsonl")]
    for text, told in (
        ("seed = ", "WS999.*cannot read the plan"),
        ("steps = 3", "WS999.*no `steps`; known are model"),
        ("model = 'a'", "WS999.*part `reward` of the plan has no `data`"),
        ("[reward]\ndata = 'a'", "WS999.*part `sft` of the plan has no `data`"),
        ("model = 'a'\n[policy]\nreward = 'b'", "WS999.*part `policy` of the plan has no `data`"),
    ):
        file = tmp_path / "plan.toml"
        file.write_text(text)
        with pytest.raises(UserError, match=told):
            read_plan(file)
    file = tmp_path / "plan.json"
    file.write_text(json.dumps({"model": "m", "policy": {"data": "p", "reward": "r.py:f"}}))
    assert read_plan(file).model == "m"


def test_the_default_plan_is_the_lesson():
    plan = default_plan(1)
    assert plan.sft["data"] == toy_task.demonstrations(1) != toy_task.demonstrations(0)
    assert plan.policy["kl"] > 0
