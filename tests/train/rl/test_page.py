"""docs/ppo.md names options that are there; its example, commands and plan are in tests/docs."""

import dataclasses
import importlib
import re
from pathlib import Path

from wellshaped.train.rl.generation.sampling import Sampling
from wellshaped.train.rl.settings import RunSettings, Settings

PAGE = (Path(__file__).parents[3] / "docs" / "ppo.md").read_text(encoding="utf-8")


def test_every_option_is_one():
    parsers = importlib.import_module("wellshaped.cli")._parser()._actions[-1].choices
    known = parsers["train"]._actions[-1].choices["ppo"]._option_string_actions
    assert set(re.findall(r"`(--[a-z-]+)", PAGE)) <= set(known)
    names = {each.name for kind in (Settings, RunSettings, Sampling) for each in
             dataclasses.fields(kind)}  # fmt: skip
    told = set(re.findall(r"`([a-z]+_[a-z_]+|kl|lora|samples)`", PAGE)) - {"kl_shown"}
    assert len(told) > 8
    assert told <= names
