"""Why a program could not be run, and what helps where that is known."""

from __future__ import annotations

import importlib.machinery
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

from wellshaped.execute import Program
from wellshaped.observe import RunResult
from wellshaped.records.failure import Failure, Raised
from wellshaped.records.phrase import Phrase, UserError, phrase
from wellshaped.report.formats.machine import shown_file
from wellshaped.report.text.failure import failure_lines

_COMMAND: Final = "check"
_MOST_OUTPUT: Final = 12
_USAGE: Final = 2  # the status of a command line that could not be read
_NOT_CACHED: Final = frozenset({
    "huggingface_hub.errors.LocalEntryNotFoundError",
    "huggingface_hub.errors.OfflineModeIsEnabled",
})  # fmt: skip
_NETWORK: Final = "socket."

Remedy = Callable[[Program, RunResult, Raised], Phrase | None]


def failure_of(program: Program, own: RunResult, text: str) -> Failure | None:
    """The failure as a record; `text` is what stopped the program, empty where nothing did."""
    if not text:
        return None
    if own.raised is None:
        kind, _, message = text.partition(": ")
        remedy = _arguments(program) if own.ended == "ended" and own.status == _USAGE else None
        output = tuple(own.errors.rstrip().splitlines()[-_MOST_OUTPUT:])
        return Failure(kind, message, output=output, remedy=remedy)
    raised = own.raised
    found = (remedy(program, own, raised) for remedy in _REMEDIES)
    where = (own.place.file, own.place.line) if own.place else ("", 0)
    remedy = next(filter(None, found), None)
    return Failure(raised.type, raised.message, *where, raised.frames, remedy=remedy)


def cannot_run(failure: Failure, *, command: str = _COMMAND) -> UserError:
    """The error that says all of it; `command` is the one that is asked for again."""
    first = next(iter(failure.message.splitlines()), "")
    error = f"{failure.type}: {first}" if first else failure.type
    remedy = failure.remedy
    if remedy is not None:
        remedy = replace(remedy, facts={**remedy.facts, "command": command})  # not always `check`
    facts = {"error": error, "below": "\n".join(failure_lines(failure)), "remedy": remedy or ""}
    if not failure.file:
        return UserError("WS933", "cannot_run", **facts)
    return UserError(
        "WS933", "cannot_run_at", **facts, file=shown_file(failure.file), line=failure.line
    )


def _arguments(program: Program) -> Phrase:
    name = f"-m {program.name}" if program.is_module else program.name
    return phrase("remedy_arguments", program=name, command=_COMMAND)


def _relative_import(program: Program, own: RunResult, raised: Raised) -> Phrase | None:
    if not raised.is_relative_import or program.is_module or own.place is None:
        return None
    script = Path(program.name).resolve()
    if Path(own.place.file).resolve() != script:
        return None
    names, folder = [script.stem, script.parent.name], script.parent.parent
    while (folder / "__init__.py").is_file() and folder != folder.parent:
        names, folder = [*names, folder.name], folder.parent
    module = ".".join(reversed(names))
    return phrase("remedy_package", folder=str(folder), module=module, command=_COMMAND)


def _hub(program: Program, own: RunResult, raised: Raised) -> Phrase | None:
    is_missing = not _NOT_CACHED.isdisjoint(raised.kinds)
    if not is_missing and not (raised.repository and _wants_network(own, raised)):
        return None
    if not raised.repository:
        return phrase("remedy_hub")
    kind = "--repo-type dataset " if raised.is_dataset else ""
    return phrase("remedy_hub_named", name=raised.repository, download=kind + raised.repository)


def _network(program: Program, own: RunResult, raised: Raised) -> Phrase | None:
    if not _wants_network(own, raised):
        return None
    hosts = [note.target for note in own.refused if note.action.startswith(_NETWORK)]
    return phrase("remedy_connection", host=hosts[-1])


def _wants_network(own: RunResult, raised: Raised) -> bool:
    """Whether a connection was refused, and the failure is one of reading or writing."""
    refused = any(note.action.startswith(_NETWORK) for note in own.refused)
    return refused and "builtins.OSError" in raised.kinds


def _module(program: Program, own: RunResult, raised: Raised) -> Phrase | None:
    root = raised.module.partition(".")[0]
    if "builtins.ModuleNotFoundError" not in raised.kinds[:1] or not root:
        return None
    if importlib.machinery.PathFinder.find_spec(root, [*sys.path, *_folders(program)]):
        return None  # it is there, and a part of it is missing
    return phrase("remedy_module", module=root, python=sys.executable)


def _folders(program: Program) -> list[str]:
    return [os.getcwd()] if program.is_module else [os.path.dirname(os.path.abspath(program.name))]


def _other_folder(program: Program, own: RunResult, raised: Raised) -> Phrase | None:
    path, here = raised.path, os.getcwd()
    if "builtins.FileNotFoundError" not in raised.kinds or not path or os.path.isabs(path):
        return None
    for folder in _folders(program):
        if os.path.exists(os.path.join(folder, path)) and not os.path.samefile(folder, here):
            return phrase("remedy_folder", file=path, here=here, folder=folder)
    return None


_REMEDIES: tuple[Remedy, ...] = (_relative_import, _hub, _network, _module, _other_folder)
