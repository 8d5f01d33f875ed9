"""A certificate as text has one line for each relation, and as JSON what the schema allows."""

from __future__ import annotations

import pytest

from wellshaped.locale.catalogue import words
from wellshaped.records.certificate import Certificate, KeptRelation
from wellshaped.records.phrase import phrase
from wellshaped.records.source import Passage, Place
from wellshaped.report.formats.machine import certificate_to_dict
from wellshaped.report.text.certificate import render

PASSAGE = Passage(Place("train.py", 7, "step"), None, "x.mean(1)")
MADE = Certificate(
    (
        KeptRelation("rows", "broken", phrase("rows_meet", operation="mm"), PASSAGE, "mm", True),
        KeptRelation("order", "holds"),
        KeptRelation(
            "padding", "broken", phrase("padding_broken", operation="mean"), PASSAGE, "mean"
        ),
        KeptRelation("training", "not_measured", phrase("no_slope")),
    ),
    8,
)


def test_one_line_for_each_relation():
    assert render(MADE).splitlines() == [
        "certificate of a training step with 8 rows:",
        "  rows are independent: broken by design at train.py:7: `mm` compares rows of the batch"
        " with each other",
        "  the order of the rows does not matter: holds",
        "  padding does not matter: broken at train.py:7: with more padding, `mean` gives other"
        " results at real positions",
        "  everything trains: not measured: no gradient could be compared",
    ]


@pytest.mark.parametrize("lang", ["es", "ja", "zh"])
def test_in_each_language(lang: str):
    lines = render(MADE, words(lang)).splitlines()
    assert len(lines) == 5
    assert not {*lines} & {*render(MADE).splitlines()}


def test_as_data():
    broken = certificate_to_dict(MADE)["relations"][2]
    assert broken == {
        "relation": "padding",
        "standing": "broken",
        "reason": "padding_broken",
        "by_design": False,
        "file": "train.py",
        "line": 7,
        "expression": "x.mean(1)",
        "operation": "mean",
    }
