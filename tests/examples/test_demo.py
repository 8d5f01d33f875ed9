"""`make demo` shows what it promises, and the repaired program learns."""

import os
import re
from pathlib import Path

import pytest

from examples import demo
from tests import warm

pytestmark = pytest.mark.slow


def row(act, label):
    """The cells of a row of the table of batch sizes."""
    (line,) = re.findall(rf"^  {label} +(.*)$", act, flags=re.MULTILINE)
    return re.split(r" {2,}", line)


def run_explains_the_crash_and_names_the_popular_repair(acts):
    assert "error[WS101]" in acts[0]
    assert "(1, 1)         (1, 1)         (1,)" in acts[0]
    assert "`rewards.squeeze(), others.squeeze()` fails at B = 1" in acts[0]


def check_finds_the_second_fault(acts):
    assert "error[WS401]" in acts[1]
    assert "rewards.size(0)" in acts[1]
    assert "fails at B = 1; holds at B = 2, 3" in acts[1]


def fix_repairs_both_and_tells_the_batch_sizes(acts):
    for act, before in ((acts[2], ["fails", "holds", "holds"]), (acts[3], ["fails"] * 3)):
        assert "[safe]" in act
        assert row(act, "batch") == ["B = 1", "B = 2", "B = 3"]
        assert row(act, "before") == before
        assert row(act, "after") == ["holds"] * 3
        assert "1 fix written to" in act


def the_repaired_program_learns(acts):
    losses = [float(each) for each in re.findall(r"loss (\d\.\d+)", acts[4])]
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < 0.3 < losses[0]
    assert int(re.findall(r"right (\d+)%", acts[4])[-1]) >= 90


def a_command_trains_a_reward_model_and_another_scores_with_it(acts):
    assert float(re.findall(r"accuracy (\S+)", acts[5])[-1]) >= 0.9
    rewards = [float(each) for each in re.findall(r'"reward": (\S+)}', acts[5])]
    assert len(rewards) == 3
    assert rewards == sorted(rewards, reverse=True)


def no_line_is_too_wide(acts):
    assert max(len(line) for act in acts for line in act.splitlines()) <= 80


def called(*arguments: str, folder: Path, given: str | None = None):
    """What the demo has python do, by a process that has loaded what it needs."""
    kind = "training" if {"train", "score"} & {*arguments} else "usual"
    env = {**os.environ, "NO_COLOR": "1"}
    return warm.run(arguments, cwd=folder, env=env, input=given, text=True, kind=kind)


def test_the_demo_shows_what_it_promises(monkeypatch, capsys):
    monkeypatch.setattr(demo, "called", called)
    monkeypatch.setattr("sys.argv", ["demo"])
    demo.main()
    acts = re.split(r"^\d\. ", capsys.readouterr().out, flags=re.MULTILINE)[1:]
    run_explains_the_crash_and_names_the_popular_repair(acts)
    check_finds_the_second_fault(acts)
    fix_repairs_both_and_tells_the_batch_sizes(acts)
    the_repaired_program_learns(acts)
    a_command_trains_a_reward_model_and_another_scores_with_it(acts)
    no_line_is_too_wide(acts)
