"""docs/reward.md leaves out no option, value or short cut; its examples run in tests/docs."""

import re
from pathlib import Path

from wellshaped.cli import main
from wellshaped.train.reward.forward_plan import SHORT_CUTS

PAGE = (Path(__file__).parents[3] / "docs" / "reward.md").read_text(encoding="utf-8")


def test_every_option_is_described(capsys):
    assert main(["train", "reward", "--help"]) == 0
    known = set(re.findall(r"--[a-z][a-z-]+", capsys.readouterr().out))
    told = set(re.findall(r"--[a-z][a-z-]+", re.sub(r"`[^`]*accelerate[^`]*`", "", PAGE)))
    assert told <= known
    assert known - told <= {"--help", "--lang", "--seed", "--steps", "--epochs", "--threads"}


def test_every_value_of_an_evaluation_is_described():
    import torch

    from wellshaped.train.reward.measures import measures

    for name in measures(torch.ones(2), torch.ones(2)):
        assert f"`{name}`" in PAGE


def test_the_table_has_every_short_cut():
    _, found = PAGE.split("### Short cuts")
    assert re.findall(r"^\| `(\w+)`", found, flags=re.MULTILINE) == list(SHORT_CUTS)
