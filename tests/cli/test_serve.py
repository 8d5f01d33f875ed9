"""Servers as processes of their own: a run asks them, signals end them, and what fails is told."""

import csv
import json
import re
import signal
import subprocess
import sys

import pytest

from tests.train.serve.servers import policy_folder
from wellshaped.cli import main
from wellshaped.train.rl import loop

pytestmark = pytest.mark.slow

MINE = "def score(texts):\n    return [len(text) / 10 for text in texts]\n"


def started(*arguments):
    command = [sys.executable, "-m", "wellshaped", "serve", *map(str, arguments)]
    return subprocess.Popen(
        [*command, "--port", "0", "--threads", "1"], stderr=subprocess.PIPE, text=True
    )


def address(process):
    """Where it says it listens, in its first line."""
    line = process.stderr.readline()
    found = re.search(r"`--(endpoint|reward) (http://127.0.0.1:\d+)`; Ctrl-C ends it", line)
    assert found, line
    return found[2]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("place")
    policy_folder(folder / "start")
    (folder / "mine.py").write_text(MINE)
    prompts = ("the old hotel :", "the new museum :", "the soup")
    (folder / "prompts.jsonl").write_text(
        "".join(json.dumps({"prompt": text}) + "\n" for text in prompts)
    )
    return folder


def trained(place, out, *options):
    given = ("--model", place / "start", "--data", place / "prompts.jsonl", "--out", place / out)
    numbers = "--updates 2 --prompts 3 --minibatch 3 --epochs 1 --response-length 6 --threads 1"
    return main(["train", "ppo", *map(str, (*given, *options)), *numbers.split()])


def scores(folder):
    with (folder / "log" / "train.csv").open() as file:
        return [(row["score"], row["policy_loss"], row["kl"]) for row in csv.DictReader(file)]


def test_two_servers_and_a_run_that_asks_them(place, capsys, monkeypatch):
    monkeypatch.setattr(loop, "keep_curves", lambda *_: None)
    policy = started("policy", place / "start")
    reward = started("reward", f"{place / 'mine.py'}:score")
    try:
        _use(place, address(policy), address(reward), capsys)
        policy.send_signal(signal.SIGINT)
        reward.send_signal(signal.SIGTERM)
        told = [process.communicate(timeout=60)[1] for process in (policy, reward)]
    finally:
        for process in (policy, reward):
            process.kill()
            process.wait()
    assert (policy.returncode, reward.returncode) == (0, 0)
    assert re.search(
        r"new weights taken: \d+ tensors\nresponses written: 3, of \d+ tokens", told[0]
    )
    assert re.search(r"rewards given: 3, in \d", told[1])
    assert all(each.endswith("\nended\n") for each in told), told
    assert not any("Traceback" in each for each in told)


def _use(place, endpoint, reward, capsys):
    assert trained(place, "there", "--endpoint", endpoint, "--reward", reward) == 0
    assert "gets the weights before each update" in capsys.readouterr().err
    assert trained(place, "here", "--reward", f"{place / 'mine.py'}:score") == 0
    assert scores(place / "there") == scores(place / "here")
    capsys.readouterr()
    for options, said in (
        (("--endpoint", reward, "--reward", reward), "serves reward; needed is one of"),
        (("--endpoint", endpoint, "--reward", endpoint), "serves policy; needed is one of"),
        (("--endpoint", "here", "--reward", reward), "`here` is no address of a server"),
    ):
        assert trained(place, "other", *options) == 2
        error = capsys.readouterr().err.splitlines()[-1]
        assert error.startswith("error[WS998]: ")
        assert said in error
    port = reward.rpartition(":")[2]
    assert main(["serve", "reward", f"{place / 'mine.py'}:score", "--port", port]) == 2
    taken = f"error[WS998]: cannot listen at 127.0.0.1, port {port}: Address already in use\n"
    assert capsys.readouterr().err == taken


def test_nothing_to_serve_is_told(place, capsys):
    assert main(["serve", "policy", str(place / "nowhere"), "--port", "0"]) == 2
    assert capsys.readouterr().err.startswith("error[WS993]: ")
    assert main(["serve", "reward", "nowhere.py:score", "--port", "0"]) == 2
    assert capsys.readouterr().err.startswith("error[WS995]: ")
    assert main(["serve", "nothing", "at all"]) == 2
    assert capsys.readouterr().err.startswith("error[WS932]: ")


def test_a_server_for_others_says_that_it_is_open(place, capsys):
    assert main(["serve", "reward", "nowhere.py:score", "--host", "0.0.0.0", "--port", "0"]) == 2
    assert "there is no password" in capsys.readouterr().err
