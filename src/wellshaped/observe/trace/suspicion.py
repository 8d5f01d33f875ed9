"""Holds observations back until a loss is seen that would be another without what they show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from wellshaped.observe.trace.counterfactual import Counterfactual
from wellshaped.observe.trace.lineage import Lineage, user_frame
from wellshaped.records.facts import PaddingFacts
from wellshaped.records.observation import Observation


@dataclass
class Suspicions:
    """What was seen at each place of a program, and waits for a loss that it changes."""

    trace: Lineage
    seen: dict[Any, Observation] = field(default_factory=dict)

    def follow(
        self, seen: Observation | None, is_sure: Callable[[], bool] = lambda: True
    ) -> Counterfactual | None:
        """The counterfactual of the place the program stands at, if something was seen there.

        It is reported, with both losses, when a loss would be another.
        """
        frame = user_frame()
        key = (frame.f_code, frame.f_lasti)
        if seen is not None:
            self.seen.setdefault(key, seen)
        if key not in self.seen:
            return None

        def differs(loss: float, otherwise: float) -> None:
            facts = self.seen[key].facts
            assert isinstance(facts, PaddingFacts)
            if is_sure():
                told = replace(facts, loss=loss, otherwise=otherwise)
                self.trace.report(replace(self.seen[key], facts=told))

        return self.trace.counterfactuals.begin(key, differs)
