"""Texts of a policy as lines: score and KL by their names, then prompt and answer."""

from __future__ import annotations

from wellshaped.records.training.samples import Sample, Samples
from wellshaped.report.training import number

_LONGEST = 400


def sample_lines(samples: Samples) -> list[str]:
    """`  score 1.2  kl 0.4 | review of the hotel : >> the soup was warm .`."""
    return [_line(sample) for sample in samples.samples]


def _line(sample: Sample) -> str:
    text = _printed(f"{sample.prompt} >> {sample.response.strip()}")
    shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]} ..."
    return f"  score {number(sample.score)}  kl {number(sample.kl)} | {shown}"


def _printed(text: str) -> str:
    """A policy writes any byte, and a terminal would obey some: those are shown, not sent."""
    lines = text.replace("\n", " / ")
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in lines)
