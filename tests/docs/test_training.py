"""The options and names in the sentences of docs/training.md are there."""

import importlib
import re
from pathlib import Path

import pytest

import wellshaped
from wellshaped.cli import main

TEXT = (Path(__file__).parents[2] / "docs" / "training.md").read_text(encoding="utf-8")


def test_every_option_is_one(capsys: pytest.CaptureFixture[str]) -> None:
    options = set(re.findall(r"`(--[a-z-]+)", TEXT))
    assert len(options) > 8
    assert main(["train", "classify", "--help"]) == 0
    assert options <= set(re.findall(r"--[a-z][a-z-]+", capsys.readouterr().out))


def test_every_name_of_python_is_one() -> None:
    for name in set(re.findall(r"wellshaped\.train\.([A-Za-z0-9_]+)", TEXT)):
        assert hasattr(wellshaped.train, name)
    for path in set(re.findall(r"`(train\.[a-z_.]+)\.([A-Za-z_]+)`", TEXT)):
        assert hasattr(importlib.import_module(f"wellshaped.{path[0]}"), path[1])
