"""Refuses a command line on which it is not clear whose an option is: ours, or the program's."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from wellshaped.cli.claimed import claimed
from wellshaped.cli.run import program_of
from wellshaped.cli.splitting import HELP, Split
from wellshaped.cli.usage import BadUsage

Known = Mapping[str, Mapping[str, bool]]


def refuse_unclear(command: str, parts: Split, known: Known) -> None:
    """A bad usage where an option after the program could be meant for either of the two."""
    after = [option for option in parts.after if option not in HELP]
    others = _of_others(command, known)
    passed = [option for option in parts.passed if option in others]
    if not parts.program or not (after or passed):
        return
    program = program_of([*parts.program], usage="")
    theirs = claimed(program, {*after, *passed})
    for option in after:
        if option in theirs:
            raise _both(command, option, parts.program, theirs[option])
    for option in passed:
        if option not in theirs:
            facts = {"option": option, "other": others[option], "command": command}
            raise BadUsage("WS936", "other_command", **facts)


def _of_others(command: str, known: Known) -> dict[str, str]:
    """The options of the other commands, each with the first command that has it."""
    found: dict[str, str] = {}
    for name in known:
        for option in known[name]:
            found.setdefault(option, name)
    return {option: name for option, name in found.items() if option not in known[command]}


def _both(command: str, option: str, program: tuple[str, ...], where: tuple[Path, int]) -> BadUsage:
    file, line = where
    name = " ".join(program[: 2 if program[0] == "-m" else 1])
    ours = f"wellshaped {command} {option} ... {name}"
    theirs = f"wellshaped {command} {name} -- {option} ..."
    facts = {"option": option, "command": command, "file": file, "line": line}
    return BadUsage("WS936", "ambiguous_option", **facts, ours=ours, theirs=theirs)
