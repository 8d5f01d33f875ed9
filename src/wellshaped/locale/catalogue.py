"""Sentences by code and slot, filled with the facts of a finding."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wellshaped.diagnose.rules import rule

LABELS = {
    "needs": "needs",
    "got": "got",
    "why": "why",
    "born": "born",
    "value": "value",
    "fix": "fix",
    "verified": "verified",
    "not_this": "not this",
    "caution": "caution",
    "more": "more",
    "torch": "torch",
    "no_exception": "(no exception was raised)",
    "called_from": "(called from here)",
    "born_here": "(where the axis comes from)",
    "built_here": "(where the layer is built)",
    "made_here": "(where the tensor is made)",
    "cut_here": "(where the graph is cut)",
    "values": "{written} as written, {rows} row by row, on this batch",
    "proof_raised": "B = {sizes}: runs, and equals the row-by-row loss",
    "proof_module": "B = {sizes}: runs, and each row comes out as it does alone",
    "proof_operation": "B = {sizes}: runs, and rows stay apart",
    "proof_ran": "B = {sizes}: equals the row-by-row loss",
    "same_at_one": "at B = 1 the faulty call gives the same value: test with B > 1",
    "times": "this call ran {count} times with these shapes",
    "wrong_batch_axis": "`{text}` fails at B = {sizes}: the batch axis goes too",
    "wrong_only_at": "`{text}` works at B = {sizes} only",
    "wrong_never": "`{text}` fails at every batch size",
    "batch": "batch",
    "before": "before",
    "after": "after",
    "size_holds": "holds",
    "size_fails": "fails",
    "fails": "fails at B = {fails}",
    "fails_and_holds": "fails at B = {fails}; holds at B = {holds}",
    "layer": "layer `{layer}`",
}


def sentence(code: str, slot: str, variant: str, facts: Mapping[str, Any]) -> str:
    """One sentence of a rule: its headline, why, or the title of a repair."""
    found = rule(code)
    assert found is not None, code
    tables = {"headline": found.headlines, "why": found.whys, "title": found.titles}
    return tables[slot][variant].format(**facts)


def label(name: str, **facts: Any) -> str:
    """A phrase every diagnosis shares."""
    return LABELS[name].format(**facts)
