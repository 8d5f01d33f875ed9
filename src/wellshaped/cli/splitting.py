"""Parts a command line into our options, the program, and the program's own arguments."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

HELP: Final = ("-h", "--help")
PROGRAM: Final = "(script.py | notebook.ipynb | -m module) [argument ...] [-- argument ...]"
EPILOG: Final = (
    "Options may stand before or after the program. Everything after `--` goes to the program, and"
    " so does whatever is not an option of this command."
)
_END: Final = "--"


@dataclass(frozen=True, slots=True)
class Split:
    """`ours` for the parser, and the program with its own arguments.

    `after` are the options of ours that came after the program, `passed` the options that went to
    the program although no `--` came before them.
    """

    ours: tuple[str, ...]
    program: tuple[str, ...]
    after: tuple[str, ...] = ()
    passed: tuple[str, ...] = ()


def options_of(parser: argparse.ArgumentParser) -> dict[str, bool]:
    """The options that a parser knows, each with whether it takes a value."""
    known = parser._option_string_actions  # argparse has no public list
    return {name: action.nargs != 0 for name, action in known.items()}


def split(given: Sequence[str], options: Mapping[str, bool], *, left: Collection[str]) -> Split:
    """Options before the program are ours, and what follows `--` is the program's.

    Between the two an option that we know is ours, and the rest the program's in its order;
    `left` are options of ours that stay with the program there.
    """
    before, rest = _before_program(given, options)
    if rest[:1] == [_END]:
        return Split(tuple(before), tuple(rest[1:]))
    length = 2 if rest[:1] == ["-m"] else 1
    start, rest = rest[:length], rest[length:]
    end = rest.index(_END) if _END in rest else len(rest)
    known = {name: valued for name, valued in options.items() if name not in left}
    ours, theirs = _parted(rest[:end], known)
    return Split(
        (*before, *(token for option in ours for token in option)),
        (*start, *theirs, *rest[end + 1 :]),
        tuple(_name(option[0]) for option in ours),
        tuple(_name(token) for token in theirs if token.startswith("-")),
    )


def _before_program(
    given: Sequence[str], options: Mapping[str, bool]
) -> tuple[list[str], list[str]]:
    at = 0
    while at < len(given):
        if given[at] == _END or not given[at].startswith("-") or given[at].startswith("-m"):
            break
        at += 2 if options.get(given[at]) else 1
    return list(given[:at]), list(given[at:])


def _parted(
    given: Sequence[str], options: Mapping[str, bool]
) -> tuple[list[Sequence[str]], list[str]]:
    """Our options, each with its value, and the arguments of the program."""
    ours: list[Sequence[str]] = []
    theirs: list[str] = []
    at = 0
    while at < len(given):
        if _name(given[at]) not in options:
            theirs.append(given[at])
            at += 1
            continue
        ours.append(given[at : at + 1 + options.get(given[at], False)])
        at += len(ours[-1])
    return ours, theirs


def _name(token: str) -> str:
    """The name of an option that is written with its value, as `--format=json`."""
    return token.partition("=")[0] if token.startswith("--") else token
