"""Tries a trainer's step at other batch sizes before it is taken, and tells what that shows."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, Literal

import torch

from wellshaped.contracts.call import BadCall
from wellshaped.observe.loss_guard.watch import ShapeWarning, guard
from wellshaped.pipeline.step import StepReport, check
from wellshaped.records.mismatch import ShapeMismatch
from wellshaped.records.phrase import UserError

OnHazard = Literal["raise", "warn"]


def checked_ahead(step: Callable[[Any], Any], batch: Any, watch: guard) -> None:
    """Check the step on copies of its first batch, in forked children.

    What fails at the batch's own size is raised, if the guard of the training raises; what fails
    at other sizes only may never be met, and is a warning. So is a check that cannot be done.
    What was told here the guard does not tell again.
    """
    try:
        if torch.distributed.is_available() and torch.distributed.is_initialized():
            raise UserError("WS964", "distributed")
        report = check(step, batch)
    except (BadCall, UserError) as error:
        _warn(str(UserError("WS964", "not_ahead", error=_reason(error))))
        return
    if report:
        return
    if watch.on_hazard == "raise" and _severe(report):
        raise ShapeMismatch(str(report))
    _warn(str(report))
    findings = (each.diagnosis.finding for each in report.findings)
    watch.told.update(each.observation.passage.place for each in findings)


def _reason(error: Exception) -> str:
    return str(error).removeprefix("WS964: ")


def _severe(report: StepReport) -> bool:
    return any(each.diagnosis.finding.severity == "error" for each in report.findings)


def _warn(text: str) -> None:
    warnings.warn(text, ShapeWarning, stacklevel=4)
