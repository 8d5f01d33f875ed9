"""Asks the detectors of faults while a program runs: they are given, not known here."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from wellshaped.execute import Loaders
from wellshaped.observe.trace.broadcasts import BROADCASTING, record_broadcast
from wellshaped.observe.trace.gradients import Noted
from wellshaped.observe.trace.lineage import Detector, Lineage, traced
from wellshaped.observe.trace.probe.model_calls import follow_model_calls
from wellshaped.records.observation import Observation

# Entered with the record of a run, left at its end: for what has a state, or concludes.
Follower = Callable[[Lineage], contextlib.AbstractContextManager[None]]
# Given a failure, what is to blame for it: an earlier call, or the failure itself.
Blame = Callable[[Lineage, Observation], Observation]


@dataclass(frozen=True, slots=True)
class Detectors:
    """What is asked of a run: by operation, over the whole of it, after an exception."""

    by_operation: Mapping[str, tuple[Detector, ...]] = field(default_factory=dict)
    follow: tuple[Follower, ...] = ()
    blame: tuple[Blame, ...] = ()

    def blamed(self, trace: Lineage, failure: Observation) -> Observation:
        """The call that is to blame for a failure."""
        for each in self.blame:
            failure = each(trace, failure)
        return failure


@contextlib.contextmanager
def detect_hazards(
    detectors: Detectors,
    loaders: Loaders | None = None,
    gradients: Noted | None = None,
    *,
    broadcasts: bool = False,
) -> Iterator[Lineage]:
    """Follow every tensor inside the block, and ask every detector; `observations` are found.

    What keeps parameters from being trained is detected where gradients are noted; `broadcasts`
    are listed where that is asked for. The last follower concludes first.
    """
    with (
        traced(detectors.by_operation, loaders, gradients) as trace,
        follow_model_calls(trace),
        contextlib.ExitStack() as following,
    ):
        if broadcasts:
            trace.watch(BROADCASTING, record_broadcast)
        for follow in detectors.follow:
            following.enter_context(follow(trace))
        yield trace
