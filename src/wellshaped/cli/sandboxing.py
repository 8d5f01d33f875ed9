"""The option `--no-kernel-sandbox`, which every command that runs a program dry has."""

from __future__ import annotations

import argparse
import os
from contextlib import AbstractContextManager
from typing import Any

from wellshaped.cli.usage import BadUsage

OPTION = "--no-kernel-sandbox"


def add_sandboxing(parser: argparse.ArgumentParser) -> None:
    """Name the option."""
    text = "run without Landlock: writes by native code are not blocked"
    parser.add_argument(OPTION, action="store_true", help=text)


def must_have_fork() -> None:
    """A bad usage on a system that cannot fork: the sandbox cannot even be loaded there."""
    if not hasattr(os, "fork"):
        raise BadUsage("WS941", "no_fork")


def sandboxing(arguments: argparse.Namespace) -> AbstractContextManager[Any]:
    """What is run inside needs Landlock, unless the option was given."""
    from wellshaped.execute.sandbox.kernel.confinement import landlocked

    return landlocked(not arguments.no_kernel_sandbox)
