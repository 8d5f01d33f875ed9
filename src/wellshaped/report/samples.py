"""Texts of a policy as lines: score and KL by their names, then prompt and answer."""

from __future__ import annotations

from wellshaped.records.samples import Sample, Samples
from wellshaped.report.training import number

_LONGEST = 400


def sample_lines(samples: Samples) -> list[str]:
    """`  score 1.2  kl 0.4 | review of the hotel : >> the soup was warm .`."""
    return [_line(sample) for sample in samples.samples]


def _line(sample: Sample) -> str:
    text = f"{sample.prompt} >> {sample.response.strip()}".replace("\n", " / ")
    shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]} ..."
    return f"  score {number(sample.score)}  kl {number(sample.kl)} | {shown}"
