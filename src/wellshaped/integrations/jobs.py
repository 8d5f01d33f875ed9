"""Does what a server is asked for in a process of its own: the server stays small and answers on.

The process gets a `Job` on its stdin and sends a `Done`, or the `UserError` that ended it, to a
descriptor that it inherits: whatever a program prints stays out of the protocol of the server. Both
are plain data; the runs that the process starts have neither. It ends with the server.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from wellshaped.execute import Program
from wellshaped.execute.forked.keeper import end_with
from wellshaped.execute.forked.wire import NotPlain, frame_of, unpacked
from wellshaped.records.check import Report
from wellshaped.records.fix import FixResult
from wellshaped.records.phrase import UserError

# The folder of the program is not ours: a file there must not stand in for one we import.
_START = (
    "import sys; sys.path[0] = {own!r}; from wellshaped.integrations.jobs import _serve;"
    " _serve({writing}, {server})"
)
_NONE = Program("")
_KEY = 16


@dataclass(frozen=True, slots=True)
class Job:
    """A program to check or to repair in a folder, or a text to explain."""

    kind: Literal["check", "fix", "explain"]
    program: Program = _NONE
    folder: str = "."
    batch_sizes: tuple[int, ...] = ()
    budget: float = 60.0
    apply: bool = False
    unsafe: bool = False
    text: str = ""
    lang: str | None = None
    kernel_sandbox: bool = True
    picks: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a job: for readers, for programs, and, of a program, the records behind it."""

    text: str
    data: Mapping[str, Any] = field(default_factory=dict)
    report: Report | None = None
    fixed: FixResult | None = None
    written: int = 0
    complete: bool = True


async def carried_out(job: Job) -> Done:
    """Do the job; raises the `UserError` that says why it could not be done."""
    reading, writing = os.pipe()
    code = _START.format(own=__file__, writing=writing, server=os.getpid())
    key = secrets.token_bytes(_KEY)
    quiet = asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", code),
        cwd=job.folder if os.path.isdir(job.folder) else None,
        stdin=asyncio.subprocess.PIPE,
        stdout=quiet,
        stderr=quiet,
        pass_fds=(writing,),
    )
    os.close(writing)
    try:
        answer = asyncio.get_running_loop().run_in_executor(None, _all_of, reading)
        await process.communicate(key + frame_of(job, key=key))
        data = await answer
    except asyncio.CancelledError:
        process.kill()
        raise
    try:
        found = unpacked(data, key=key)
    except NotPlain:
        raise UserError("WS962", "job_died", status=process.returncode) from None
    if isinstance(found, UserError):
        raise found
    assert isinstance(found, Done)
    return found


def _all_of(reading: int) -> bytes:
    with os.fdopen(reading, "rb") as stream:
        return stream.read()


def _serve(writing: int, server: int) -> None:
    """In the process of the job: read it, do it, send what came of it."""
    end_with(server)
    os.set_inheritable(writing, False)
    given = sys.stdin.buffer.read()
    key = given[:_KEY]
    job = unpacked(given[_KEY:], key=key)
    try:
        found: Done | UserError = _KINDS[job.kind](job)
    except UserError as error:
        found = error
    with os.fdopen(writing, "wb") as stream:
        stream.write(frame_of(found, key=key))


def _check(job: Job) -> Done:
    from wellshaped.execute.sandbox.kernel.confinement import landlocked
    from wellshaped.pipeline.check import check
    from wellshaped.pipeline.texts import check_text
    from wellshaped.report.formats import machine

    _must_exist(job)
    with landlocked(job.kernel_sandbox):
        outcome = check(job.program, batch_sizes=job.batch_sizes, budget=job.budget)
    _must_have_run(outcome.report)
    report = outcome.report
    text = check_text(report, sys.stdout, job.lang)
    return Done(text, machine.to_dict(report), report, complete=report.complete)


def _fix(job: Job) -> Done:
    from wellshaped.execute.sandbox.kernel.confinement import landlocked
    from wellshaped.pipeline.fix import apply, fix
    from wellshaped.pipeline.texts import fix_text
    from wellshaped.report.formats import fixes

    _must_exist(job)
    with landlocked(job.kernel_sandbox):
        fixed, search = fix(job.program, budget=job.budget, picks=job.picks)
    _must_have_run(search.first.report, command="fix")
    if job.apply:
        fixed = apply(fixed, search, unsafe=job.unsafe, backup=False)
    written = fixed.applied.count if fixed.applied else 0
    text = fix_text(fixed, sys.stdout, job.lang)
    complete = fixed.complete
    return Done(text, fixes.to_dict(fixed), fixed.report, fixed, written, complete=complete)


def _explain(job: Job) -> Done:
    from wellshaped.diagnose import engine
    from wellshaped.locale import words
    from wellshaped.report.text import page

    code = job.text.strip().upper()
    codes = [each for each, _, _ in engine.index()]
    if code in codes:
        return Done(page.render(code, words(job.lang)), {"codes": [code]})
    if len(code.split()) < 2:
        raise UserError("WS931", "no_rule", code=job.text)
    from wellshaped.pipeline.explain import explain_text

    found = explain_text(job.text, job.lang)
    return Done(str(found), found.to_dict())


_KINDS = {"check": _check, "fix": _fix, "explain": _explain}


def _must_exist(job: Job) -> None:
    if not job.program.is_module and not os.path.exists(job.program.name):
        raise UserError("WS930", "no_such_file", file=job.program.name)


def _must_have_run(report: Report, *, command: str = "check") -> None:
    from wellshaped.pipeline.failed import cannot_run

    if report.failure is not None:
        raise cannot_run(report.failure, command=command)
