"""What is wrong with a command line: one line, with a code."""

from __future__ import annotations

import argparse
from typing import Any, NoReturn

from wellshaped.locale.language import LANGUAGES
from wellshaped.records.phrase import Phrase, UserError


class BadUsage(Exception):
    """A command that cannot be carried out as it was typed, as a message of the catalogue."""

    def __init__(self, code: str, name: str, /, **facts: Any):
        super().__init__(name, facts)
        self.code = code
        self.message = Phrase(name, facts)

    @classmethod
    def of(cls, error: UserError) -> BadUsage:
        """The same, told by another part of the program."""
        return cls(error.code, error.message.name, **error.message.facts)


class Parser(argparse.ArgumentParser):
    """An argument parser that says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        """Called by argparse for every mistake it sees; its own words are English."""
        raise BadUsage("WS932", "usage", detail=message, program=self.prog)


def add_language(parser: Parser) -> None:
    """The option that every command has."""
    parser.add_argument("--lang", metavar="L", help=f"language: {', '.join(LANGUAGES)}")


def add_budget(parser: Parser, *, default: float) -> None:
    """The option of what runs a program: how long."""
    parser.add_argument(
        "--budget", metavar="S", type=_budget, default=default, help="CPU seconds in all"
    )


def _budget(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not seconds > 0:  # nor is `nan`
        raise BadUsage("WS932", "bad_budget", text=repr(text))
    return seconds


def usage_line(error: BadUsage, lang: str) -> str:
    """What is wrong, in one line."""
    from wellshaped.locale import words
    from wellshaped.report import summary

    return str(summary.error_line(error.code, error.message, words(lang)))
