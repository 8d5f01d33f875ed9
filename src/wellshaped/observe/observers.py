"""Everything that watches a program while it runs, put around it in one place."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from wellshaped.execute import Loaders
from wellshaped.observe.failure.exception import observe_exception
from wellshaped.observe.loss_guard.watch import guard
from wellshaped.observe.trace.detect import Detectors, detect_hazards
from wellshaped.observe.trace.gradients import Noted
from wellshaped.observe.trace.lineage import Lineage
from wellshaped.records.observation import Observation


@dataclass(frozen=True, slots=True)
class Observers:
    """What a run shows: the losses it calls, and the record of its tensors where one is kept."""

    watch: guard
    detectors: Detectors
    trace: Lineage | None = None

    @property
    def silent(self) -> tuple[Observation, ...]:
        """What was detected that raised nothing."""
        return () if self.trace is None else self.trace.observations

    def observe_failure(self, error: BaseException) -> Observation | None:
        """What failed, or the earlier call that is to blame; None when it is not about shapes."""
        if self.trace is not None:
            self.trace.paused = True
        failure = observe_exception(error, self.watch.suspects)
        if failure is None or self.trace is None:
            return failure
        return self.detectors.blamed(self.trace, failure)

    def on_new(self, tell: Callable[[], None]) -> None:
        """Call this whenever something is seen at a new place."""
        self.watch.on_new = tell
        if self.trace is not None:
            self.trace.on_new = tell


@contextlib.contextmanager
def observing(
    detectors: Detectors | None = None,
    *,
    loaders: Loaders | None = None,
    gradients: Noted | None = None,
    everywhere: bool = False,
    broadcasts: bool = False,
) -> Iterator[Observers]:
    """Watch the losses of the block and, with detectors, follow every tensor for them.

    `everywhere` watches all threads. What trains is detected where `gradients` are noted, and
    `broadcasts` are listed where that is asked for.
    """
    with guard("record", everywhere=everywhere) as watch:
        if detectors is None:
            yield Observers(watch, Detectors())
            return
        with detect_hazards(detectors, loaders, gradients, broadcasts=broadcasts) as trace:
            yield Observers(watch, detectors, trace)
