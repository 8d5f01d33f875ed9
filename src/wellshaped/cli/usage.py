"""What is wrong with a command line: one line, with a code."""

from __future__ import annotations

import argparse
from typing import NoReturn


class BadUsage(Exception):
    """A command that cannot be carried out as it was typed."""

    def __init__(self, code: str, text: str):
        super().__init__(text)
        self.code = code


class Parser(argparse.ArgumentParser):
    """An argument parser that says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        """Called by argparse for every mistake it sees."""
        raise BadUsage("WS932", f"{message}; see `{self.prog} --help`")
