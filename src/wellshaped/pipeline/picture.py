"""The shape flow to a fault, and the call there at every batch size that was tried."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from wellshaped.diagnose.fit.loss import right_at
from wellshaped.diagnose.flow import (
    Shapes,
    arriving_axes,
    lanes_of,
    repaired_axes,
    rows_of_call,
)
from wellshaped.pipeline.proof import call_sizes
from wellshaped.records.check import Checked, Swept
from wellshaped.records.diagnosis import Diagnosis, Proposal
from wellshaped.records.fix import RepairedFault, Size
from wellshaped.records.flow import Flow, Meeting, Pictured
from wellshaped.records.observation import Observation
from wellshaped.verify.replay import repaired_shapes, shapes_with_rows

_SMALL = (1, 2, 3)
_NO_SWEEP = Swept((), ())


def of_checked(checked: Checked) -> Pictured:
    """A fault that a check found."""
    return of_diagnosis(checked.diagnosis, checked.swept)


def of_mended(mended: RepairedFault) -> Pictured:
    """A fault with the repair that was proven on the program."""
    diagnosis = replace(mended.checked.diagnosis, proposals=(mended.proposal,))
    flow = _flow(diagnosis, mended.proposal, mended.sizes)
    return Pictured(diagnosis, flow, mended.checked.swept, mended.sizes)


def of_diagnosis(diagnosis: Diagnosis, swept: Swept = _NO_SWEEP) -> Pictured:
    """One fault with its first repair."""
    proposal = next(iter(diagnosis.proposals), None)
    observation = diagnosis.finding.observation
    tried, after = call_sizes(observation, proposal, swept)
    before = _by_contract(observation) | tried
    if observation.raised and (own := rows_of_call(observation)):
        before.setdefault(own, False)
    sizes = [Size(size, before.get(size), after.get(size)) for size in sorted(before | after)]
    return Pictured(diagnosis, _flow(diagnosis, proposal, sizes), swept)


def _flow(diagnosis: Diagnosis, proposal: Proposal | None, sizes: Iterable[Size]) -> Flow:
    finding = diagnosis.finding
    observation = finding.observation
    batch = rows_of_call(observation)
    own = shapes_with_rows(observation, batch, batch)
    lanes = lanes_of(
        finding, proposal.repair if proposal else None, _after(own, diagnosis, proposal)
    )
    meetings = tuple(_meeting(each, diagnosis, proposal, batch) for each in sizes)
    return Flow(observation.label, lanes, batch, meetings)


def _after(shapes: Shapes, diagnosis: Diagnosis, proposal: Proposal | None) -> Shapes:
    if proposal is None or not proposal.repair.changes:
        return {}
    return repaired_shapes(diagnosis.finding.observation, proposal.repair, shapes)


def _meeting(size: Size, diagnosis: Diagnosis, proposal: Proposal | None, batch: int) -> Meeting:
    finding = diagnosis.finding
    shapes = shapes_with_rows(finding.observation, size.batch, batch)
    after = _after(shapes, diagnosis, proposal)
    right = size.before is True
    tried = [
        {each.batch: each.outcome == "equal" for each in wrong.evidence.trials}
        for wrong in diagnosis.wrong
    ]
    return Meeting(
        size.batch,
        size.before,
        size.after,
        arriving_axes(finding, shapes, after, size.batch, right=right),
        repaired_axes(finding, shapes, after, size.batch) if after else (),
        tuple(each.get(size.batch) for each in tried),
    )


def _by_contract(observation: Observation) -> dict[int, bool]:
    """What the contract of a loss says of small batches, where its tensors could be replayed."""
    told = {size: right_at(observation, size) for size in _SMALL}
    return {size: right for size, right in told.items() if right is not None}
