"""The exception that says a loss call does not compute what was asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wellshaped.records.shape import TensorFact, shape_text
from wellshaped.records.verdict import Verdict


class ShapeMismatch(RuntimeError, ValueError):
    """A hazard, or tensors without a single reading; caught by handlers of either parent."""

    def __init__(
        self,
        headline: str,
        verdict: Verdict | None = None,
        facts: Mapping[str, Any] | None = None,
        readings: tuple[str, ...] = (),
    ):
        super().__init__(headline, verdict, facts, readings)
        self.headline, self.verdict = headline, verdict
        self.facts = dict(facts or {})
        self.readings = readings

    def __str__(self) -> str:
        lines = [self.headline]
        if self.verdict is not None:
            lines += table(self.verdict, self.facts)
        lines += [f"  reading  {reading}" for reading in self.readings]
        return "\n".join(lines)


def table(verdict: Verdict, facts: Mapping[str, Any]) -> list[str]:
    """What the loss needs and what it got, one line each."""
    got = "  ".join(
        f"{name} {_got(fact)}" for name, fact in facts.items() if isinstance(fact, TensorFact)
    )
    first, *others = verdict.needs.arrangements
    lines = [f"  needs    {first}", *(f"  or       {line}" for line in others)]
    if verdict.needs.dtypes:
        lines.append(f"           {verdict.needs.dtypes}")
    lines.append(f"  got      {got}")
    if verdict.blame is not None:
        axis = "" if verdict.blame.axis is None else f", axis {verdict.blame.axis}"
        lines.append(f"  blame    {verdict.blame.argument}{axis}: {verdict.blame.reason}")
    return lines


def _got(fact: TensorFact) -> str:
    return f"{shape_text(fact.shape)} {fact.dtype}"
