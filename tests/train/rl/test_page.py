"""docs/ppo.md names options that are there; its example, commands and plan are in tests/docs."""

import re
from pathlib import Path

from wellshaped.cli import main
from wellshaped.train.algorithms.ppo import Ppo
from wellshaped.train.options import settings_of

PAGE = (Path(__file__).parents[3] / "docs" / "ppo.md").read_text(encoding="utf-8")


def test_every_option_is_one(capsys):
    assert main(["train", "ppo", "--help"]) == 0
    known = set(re.findall(r"--[a-z][a-z-]+", capsys.readouterr().out))
    assert set(re.findall(r"`(--[a-z-]+)", PAGE)) <= known
    names = {each.name for each in settings_of(Ppo)}
    told = set(re.findall(r"`([a-z]+_[a-z_]+|kl|lora|samples)`", PAGE)) - {"kl_shown"}
    assert len(told) > 8
    assert told <= names
