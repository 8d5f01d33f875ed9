"""The option `--no-kernel-sandbox`, which every command that runs a program dry has."""

from __future__ import annotations

import argparse
from contextlib import AbstractContextManager
from typing import Any

OPTION = "--no-kernel-sandbox"


def add_sandboxing(parser: argparse.ArgumentParser) -> None:
    """Name the option."""
    text = "run without Landlock: writes by native code are not blocked"
    parser.add_argument(OPTION, action="store_true", help=text)


def sandboxing(arguments: argparse.Namespace) -> AbstractContextManager[Any]:
    """What is run inside needs Landlock, unless the option was given."""
    from wellshaped.execute.sandbox.kernel.confinement import landlocked

    return landlocked(not arguments.no_kernel_sandbox)
