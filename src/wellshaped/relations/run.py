"""Runs a program up to one of its steps and certifies that, in a forked child and a sandbox."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch

from wellshaped.execute import (
    Program,
    TimeUp,
    TooLarge,
    begin,
    compile_source,
    defer_compiler,
    end,
    execute,
    go_offline,
    limited,
    must_be_confined,
    other_source,
    preload,
    real_weights,
    running_writers,
    sandboxed,
    start_again,
    steered_loaders,
)
from wellshaped.observe.batches import Rows
from wellshaped.observe.step import Step, calling
from wellshaped.records.certificate import Certificate
from wellshaped.relations.batch import batch_of
from wellshaped.relations.certify import Certifier, unknown
from wellshaped.relations.taking import StepTaken, Taker, watched

_FITS = 50_000_000


def nothing_measured() -> Certificate:
    """The certificate of a step that nobody measured."""
    return unknown("no_step")


def certify_step(step: Step, rows: Rows, *, seconds: float) -> Certificate:
    """The certificate of a step that the caller gives, on its batch; nothing of theirs changes."""
    must_be_confined()
    call = calling(step, rows.batch, whole=rows.samples)
    writers = running_writers()

    def work(scratch: Path) -> Certificate:
        start_again(writers)
        return _certified_step(call, rows, scratch, seconds)

    found: Certificate | None = end(begin(work, seconds=seconds))
    return found or unknown("no_time")


def _certified_step(
    call: Callable[[Any], Any], rows: Rows, scratch: Path, seconds: float
) -> Certificate:
    certifier, reason = Certifier(), "no_step"
    with sandboxed(scratch / "overlay") as sandbox:
        taker = Taker(sandbox.scratch, certifier.study, seconds)
        with watched(taker), contextlib.suppress(StepTaken):
            try:
                with limited(seconds):
                    taker.take(batch_of(rows.batch, None, rows.count))
                    if taker.child is not None:
                        taker.child.end(call(rows.batch))  # a loss that the caller takes back
            except TimeUp:
                reason = "no_time"
            except StepTaken:
                raise
            except BaseException:  # of a child, which must not run on as the caller
                if taker.child is None:
                    raise
                taker.child.leave("stopped")
    return certifier.certificate or unknown(reason)


def certify(
    program: Program, *, seconds: float, sources: Mapping[str, str] | None = None
) -> Certificate:
    """The certificate of the program's second step, which is as far as it is run."""
    must_be_confined()
    torch.set_num_threads(1)  # or the child waits for threads it does not have (torch 2.13)
    preload(program)

    def work(scratch: Path) -> Certificate:
        go_offline()
        return _certified(program, scratch, seconds, sources or {})

    found: Certificate | None = end(begin(work, seconds=seconds))
    return found or unknown("no_time")


def _certified(
    program: Program, scratch: Path, seconds: float, sources: Mapping[str, str]
) -> Certificate:
    certifier, reason = Certifier(), "one_step"
    defer_compiler()
    with (
        other_source(sources),
        steered_loaders(None, whole=True) as loaders,
        real_weights(_FITS),
        sandboxed(scratch / "overlay") as sandbox,
    ):
        taker = Taker(sandbox.scratch, certifier.study, seconds)
        with watched(taker, loaders):
            try:
                with limited(seconds):
                    execute(program, on_exception=lambda _: None, compiled=compile_source)
            except StepTaken:
                pass
            except (TimeUp, TooLarge):
                reason = "no_time"
            except BaseException:  # the program's own, exits too: it came to no second step
                pass
            if taker.child is not None:
                taker.child.leave("stopped")
    if not taker.steps:
        reason = "no_step"
    return certifier.certificate or unknown(reason)
