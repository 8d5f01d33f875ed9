"""Checks one step of a training program, as a function and an example batch, from Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from wellshaped.contracts.call import BadCall
from wellshaped.execute.forked.mappings import can_make_memory_private
from wellshaped.execute.sandbox.kernel.confinement import landlocked
from wellshaped.locale import words
from wellshaped.observe import RunResult, observe_step
from wellshaped.observe.batches import find_rows
from wellshaped.observe.step import calling, must_be_able_to_fork, same_random_state
from wellshaped.pipeline.check import (
    merge_runs,
    not_checked,
    not_watched,
    size_runs,
    to_checked,
)
from wellshaped.pipeline.trials import FaultAcrossRuns
from wellshaped.records.certificate import Certificate, Relation
from wellshaped.records.check import Checked, NotChecked, Report
from wellshaped.records.phrase import phrase
from wellshaped.records.status import CLEAN, status_of
from wellshaped.relations import certify_step, nothing_measured
from wellshaped.report import summary
from wellshaped.report.compose import compose
from wellshaped.report.formats import machine
from wellshaped.report.text.failure import frame_lines
from wellshaped.report.text.terminal import render


@dataclass(frozen=True, repr=False)
class StepReport:
    """What a check of a step came to; true if it is complete and clean, so that it can be asserted.

    As text it is what `wellshaped check` prints, in the language of the environment; as
    data (`to_dict`) it is the JSON, in its newest version.
    """

    report: Report
    _measure: Callable[[], Certificate] = field(default=nothing_measured, repr=False, compare=False)

    @cached_property
    def certificate(self) -> Certificate:
        """The relations of a right step, measured on this one when it is first asked for."""
        return self._measure()

    @property
    def rows_independent(self) -> bool | None:
        """Whether each row comes out as if the others were not there; None where not measured."""
        return self._holds("rows")

    @property
    def order_ignored(self) -> bool | None:
        """Whether the loss stays where rows change places; None where not measured."""
        return self._holds("order")

    @property
    def padding_ignored(self) -> bool | None:
        """Whether the loss stays with more padding; None where not measured, or without padding."""
        return self._holds("padding")

    @property
    def everything_trains(self) -> bool | None:
        """Whether what takes part can learn; None where not measured."""
        return self._holds("training")

    def _holds(self, relation: Relation) -> bool | None:
        found = self.certificate.of(relation)
        return None if found is None else found.holds

    @property
    def findings(self) -> tuple[Checked, ...]:
        """Each fault, with the batch sizes at which it fails and holds."""
        return self.report.findings

    @property
    def not_checked(self) -> tuple[NotChecked, ...]:
        """What a run did not reach, or was kept from."""
        return self.report.not_checked

    @property
    def ok(self) -> bool:
        """Whether the check is complete, without error and warning; notes do not count."""
        return status_of(self.report) == CLEAN

    @property
    def complete(self) -> bool:
        """Whether the step ran to its end, or to a fault that is reported, at every size."""
        return self.report.complete

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        said = words()
        parts = [render(compose(each.diagnosis, each.swept, words=said)) for each in self.findings]
        return "\n".join([*parts, summary.render(self.report, said)])

    def __repr__(self) -> str:
        codes = ", ".join(each.diagnosis.finding.code for each in self.findings) or "nothing found"
        return f"<StepReport of {self.report.program}: {codes}>"

    def to_dict(self) -> dict[str, Any]:
        """The report as plain data, ready for JSON."""
        return machine.to_dict(self.report)


def check(
    step: Callable[..., Any],
    batch: Any,
    batch_sizes: Iterable[int] | None = None,
    *,
    budget: float = 60.0,
    kernel_sandbox: bool = True,
) -> StepReport:
    """Run a step at several batch sizes and tell at which of them its shapes are wrong.

    `step` is anything that can be called: a training step, a loss function, a model. `batch` is
    an example for it: a tensor, or tensors in tuples, lists, mappings and dataclasses. A mapping
    whose keys are parameters of the step is given by name; otherwise a step that can be called
    with one argument gets the batch whole, and one that needs more gets a tuple or list spread.

    Each size is run in a forked child, in a sandbox: parameters, gradients, optimizers, random
    numbers, files and the batch itself stay as they are. Rows are those of the batch, repeated
    where there are too few, along the first axis that most of its tensors share; what has another
    first axis is left alone, and a list with an entry for each row is cut with them. A list of
    tuples, or of mappings with the same keys, is a list of samples.

    `batch_sizes` are run beside the batch's own size; by default 1 and two small ones that no
    other axis of the batch has. `budget` is in CPU seconds, for all runs together.
    What it keeps of the relations of a right step is measured when that is asked for:
    `rows_independent`, `order_ignored`, `padding_ignored` and `everything_trains` are True, False,
    or None where nothing is claimed; `certificate` says where and why.

    `kernel_sandbox=False` runs the step without Landlock, for systems that have none: writes by
    native code are then not blocked.

    >>> import torch
    >>> import wellshaped
    >>> model = torch.nn.Linear(3, 1)
    >>> def step(x, y):
    ...     return torch.nn.functional.mse_loss(model(x), y)
    >>> report = wellshaped.check(step, (torch.zeros(8, 3), torch.zeros(8)))
    >>> report.ok, [each.diagnosis.finding.code for each in report.findings]
    (False, ['WS301'])
    >>> report.findings[0].swept
    Swept(fails=(1, 2, 4, 8), holds=(), not_run=())

    A report is true if the step ran to its end at every size and nothing was found. Raises
    `ValueError` with a code where the step or the batch is none, and where the step fails at the
    batch's own size for a reason that is not about shapes or dtypes.
    """
    if not callable(step):
        raise BadCall("WS970", f"a step is a function or a model, not {type(step).__name__}")
    rows = find_rows(batch)
    must_be_able_to_fork(rows)
    calling(step, batch, whole=rows.samples)
    wanted = rows.sizes() if batch_sizes is None else (rows.count, *_valid(batch_sizes))
    sizes = tuple(dict.fromkeys(wanted))
    with landlocked(kernel_sandbox):
        runs = [observe_step(step, rows, size, seconds=budget / len(sizes)) for size in sizes]
        with same_random_state():
            found = merge_runs(runs)
        ends = size_runs(runs, found)
        unseen = (*not_watched(), *_not_covered(), *not_checked(runs, ends))
    _must_have_run(runs[0], found)
    findings = tuple(to_checked(each, runs) for each in found)
    report = Report(_name(step), findings, unseen, runs=ends)

    def measure() -> Certificate:
        with landlocked(kernel_sandbox):
            return certify_step(step, rows, seconds=budget)

    return StepReport(report, measure)


def _not_covered() -> Iterable[NotChecked]:
    """What this system does not let us protect."""
    if not can_make_memory_private():
        yield NotChecked("WS942", "", 0, phrase("memory_not_private"))


def _valid(batch_sizes: Iterable[int]) -> tuple[int, ...]:
    sizes = tuple(batch_sizes)
    wrong = [size for size in sizes if type(size) is not int or size < 1]
    if wrong:
        raise BadCall("WS973", f"batch sizes are numbers from 1 on, not {wrong[0]!r}")
    return sizes


def _must_have_run(own: RunResult, found: list[FaultAcrossRuns]) -> None:
    """Whoever asks for a check of what cannot be run at all is told so, not that all is well."""
    if own.ended == "raised" and not any(each.own for each in found):
        where = f" ({own.place.file}:{own.place.line})" if own.place else ""
        frames = own.raised.frames if own.raised else ()
        lines = (f"\n  {line}" for line in frame_lines(frames))
        first = own.error.splitlines()[0]
        raise BadCall("WS933", f"the step could not be run: {first}{where}{''.join(lines)}")


def _name(step: Any) -> str:
    return str(getattr(step, "__qualname__", type(step).__qualname__))
