"""Runs a program dry, once, and gathers the shapes of its expressions and layers."""

from __future__ import annotations

from wellshaped.execute import Program
from wellshaped.observe import Detectors, RunResult, Setting, Weights, observe_run
from wellshaped.pipeline.failed import failure_of
from wellshaped.records.failure import Failure
from wellshaped.records.shapes import ShapesReport

# CPU seconds after which loops that show nothing new are ended.
_PATIENCE = 2.0


def shapes_of(
    program: Program, *, budget: float = 60.0, weights: Weights = "auto"
) -> tuple[ShapesReport, Failure | None]:
    """The shapes of a program; and why it could not be run, where no tensor was seen at all."""
    ran = _run(program, budget, weights)
    if ran.ended == "large":
        ran = _run(program, budget, "fake")
    error = ran.error if ran.ended != "ended" else ""
    report = ShapesReport(
        program.name,
        ran.shapes,
        ran.batch_sizes_seen,
        error.partition("\n")[0],
        ran.place if error else None,
        complete=ran.ended == "ended",
    )
    nothing = error and not ran.shapes.expressions
    return report, failure_of(program, ran, error) if nothing else None


def _run(program: Program, budget: float, weights: Weights) -> RunResult:
    setting = Setting(weights=weights, patience=_PATIENCE, shapes=True)
    return observe_run(program, setting, seconds=budget, detectors=Detectors())
