"""What can be said of a program before anything heavy is loaded: it is missing, or no program."""

from __future__ import annotations

import os
import re
import traceback
import warnings
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from wellshaped.cli.sources import script_of
from wellshaped.cli.usage import BadUsage
from wellshaped.execute.program import Program, compile_source
from wellshaped.report import visible

_MOST_SCRIPTS: Final = 5
_MOST_FILES: Final = 500
# What a training program has, and what any program has.
_TRAINS: Final = re.compile(rb"\.backward\(|\bDataLoader\(|\.fit\(|\.train\(\)")
_STARTS: Final = re.compile(rb"^if __name__ == ['\"]__main__['\"]", re.MULTILINE)


def refuse_unrunnable(program: Program) -> None:
    """A bad usage where there is no such program, or where it is not Python."""
    if not program.is_module and not os.path.exists(program.name):
        raise BadUsage("WS930", "no_such_file", file=program.name)
    script = script_of(program)
    if script is None:
        _refuse_folder(program)
    else:
        _refuse_broken(script)


def _refuse_folder(program: Program) -> None:
    if program.is_module or not os.path.isdir(program.name):
        return  # a notebook, a zip file or an installed module
    found = sorted(_entry_points(Path(program.name)))
    if not found:
        raise BadUsage("WS937", "is_folder", file=program.name)
    scripts = ", ".join(f"`{file}`" for _, file in found[:_MOST_SCRIPTS])
    raise BadUsage("WS937", "is_folder_with", file=program.name, scripts=scripts)


def _entry_points(folder: Path) -> Iterator[tuple[int, str]]:
    """Scripts in a folder, or one below, that look as if they were to be run; training first."""
    files = (file for pattern in ("*.py", "*/*.py") for file in sorted(folder.glob(pattern)))
    for file in islice(files, _MOST_FILES):
        try:
            text = file.read_bytes()
        except OSError:
            continue
        signs = bool(_TRAINS.search(text)) * 2 + bool(_STARTS.search(text))
        if signs:
            yield -signs, str(file)


def _refuse_broken(script: Path) -> None:
    try:
        source = script.read_bytes()
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise BadUsage("WS930", "cannot_open", file=str(script), reason=reason) from error
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the run shows them
            compile_source(source, str(script))
    except SyntaxError as error:
        raise _broken(error, str(script)) from error
    except ValueError as error:  # a null byte (Python 3.11)
        raise BadUsage("WS938", "cannot_parse_whole", file=str(script), error=error) from error


def _broken(error: SyntaxError, file: str) -> BadUsage:
    kind = f"{type(error).__name__}: {error.msg}"
    if not error.lineno:
        return BadUsage("WS938", "cannot_parse_whole", file=file, error=kind)
    error.filename = visible(file)
    *lines, _ = traceback.format_exception_only(error)
    below = "\n".join(line.removeprefix("  ") for each in lines for line in each.splitlines())
    place = {"file": file, "line": error.lineno, "column": max(error.offset or 1, 1)}
    return BadUsage("WS938", "cannot_parse", error=kind, below=below, **place)
