"""Blocks that cannot run in a test: settings of other tools, and commands of the shell.

Each kind is held against what it speaks of: our own commands are parsed, targets and modules are
there, settings name hooks, inputs, plans and entries that exist.
"""

from __future__ import annotations

import importlib.util
import json
import re
import shlex
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import yaml

from wellshaped.cli import _parse
from wellshaped.train.rlhf_run import RlhfPlan
from wellshaped.train.rollout import rollout_settings

ROOT = Path(__file__).parents[2]
_LAUNCHERS: Final = ("accelerate", "torchrun")
_OTHERS: Final = ("pip", "$EDITOR")
_ACTION: Final = re.compile(r"[\w-]+(/[\w-]+)+@v\d+")
_TARGET: Final = re.compile(r"^([a-z-]+):", re.MULTILINE)
_PLACEHOLDER: Final = "<"


def shell(text: str) -> None:
    """Every command can be typed: ours with these options, others' with these names."""
    for line in text.splitlines():
        for part in line.split(" | "):
            words = shlex.split(re.sub(r"(?:\d?>&\d|[<>] ?\S+)", "", part), comments=True)
            command(words)


def command(words: list[str]) -> None:
    """One command with its arguments."""
    if not words:
        return
    name, *given = words
    if name in _LAUNCHERS:
        name, *given = given[given.index("-m") + 1 :]
    if name == "wellshaped":
        _parse(given)
    elif name == "make":
        assert set(given) <= set(_TARGET.findall((ROOT / "Makefile").read_text()))
    elif name == "python":
        assert given[0] != "-m" or importlib.util.find_spec(given[1]) is not None
    else:
        assert name in _OTHERS, f"nobody knows `{name}`"


def workflow(text: str) -> None:
    """Hooks and actions that are there, and commands that can be typed."""
    for each in _every_mapping(yaml.safe_load(text)):
        if "run" in each:
            shell(each["run"])
        if "id" in each:
            _hook(each)
        if "uses" in each:
            _used(each)


def _hook(given: dict[str, Any]) -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    (hook,) = (each for each in hooks if each["id"] == given["id"])
    command([*hook["entry"].split(), *given["args"]])


def _used(given: dict[str, Any]) -> None:
    action = given["uses"]
    if not action.startswith(_PLACEHOLDER):
        assert _ACTION.fullmatch(action), action
        return
    known = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["inputs"]
    needed = {name for name, each in known.items() if each.get("required")}
    assert needed <= set(given["with"]) <= set(known)


def _every_mapping(found: Any) -> list[dict[str, Any]]:
    below = found.values() if isinstance(found, dict) else found if isinstance(found, list) else ()
    own = [found] if isinstance(found, dict) else []
    return [*own, *(each for one in below for each in _every_mapping(one))]


def servers(text: str) -> None:
    """Settings of a client in JSON: each server is one of our commands."""
    for each in json.loads(text)["mcpServers"].values():
        command([each["command"], *each["args"]])


def editor(text: str) -> None:
    """Settings of Neovim: brackets are closed, and the server is one of our commands."""
    for pair in ("()", "{}"):
        assert text.count(pair[0]) == text.count(pair[1])
    (found,) = re.findall(r"cmd = \{([^}]*)\}", text)
    command(json.loads(f"[{found}]"))


def table(text: str) -> None:
    """A plan of `wellshaped rlhf`, or an entry of a language as it is in its table."""
    found = tomllib.loads(text)
    if "policy" in found:
        plan = RlhfPlan(**found)
        policy = {name: each for name, each in plan.policy.items() if name != "data"}
        rollout_settings(policy.pop("method", "ppo"), policy)
        return
    folder = ROOT / "src" / "wellshaped" / "locale"
    tables = [tomllib.loads(path.read_text(encoding="utf-8")) for path in folder.glob("*.toml")]
    for key, entry in found.items():
        assert any(each.get(key) == entry for each in tables), key


def stages(text: str) -> None:
    """The order of the stages: each is a folder of the package."""
    for name in text.strip().split(" -> "):
        assert (ROOT / "src" / "wellshaped" / name).is_dir(), name


CHECKS: Final[dict[str, Callable[[str], None]]] = {
    "sh": shell,
    "yaml": workflow,
    "json": servers,
    "lua": editor,
    "toml": table,
    "text": stages,
}
