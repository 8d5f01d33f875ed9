"""The certificate of a program: measured where a step can be taken, else why it was not."""

from __future__ import annotations

from collections.abc import Mapping

from wellshaped.execute import Program
from wellshaped.observe import RunResult
from wellshaped.records.certificate import Certificate
from wellshaped.relations import certify, unknown


def certificate_of(
    program: Program, own: RunResult, sources: Mapping[str, str], *, seconds: float
) -> Certificate:
    """Certify a step of the program, given its own run."""
    if not own.gradients.ran:
        return unknown("no_step")
    if own.setting.weights == "fake":
        return unknown("no_weights")
    return certify(program, seconds=seconds, sources=sources)
