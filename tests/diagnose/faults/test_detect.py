"""Detectors are found where they are, in one order, and their facts reach the reader of a run."""

import dataclasses

import pytest

from wellshaped.diagnose.faults import detect, fault_modules
from wellshaped.diagnose.faults.detect import detectors
from wellshaped.execute.forked.wire import decoded, to_json
from wellshaped.records.facts import Facts
from wellshaped.records.observation import Observation
from wellshaped.records.source import Passage, Place

RULES = [each.__name__.rpartition("faults.")[2] for each in fault_modules()]
KINDS = sorted(
    {
        kind
        for module in fault_modules()
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, Facts) and kind.__module__ == module.__name__
    },
    key=lambda kind: kind.__name__,
)


def test_every_module_that_detects_belongs_to_a_rule():
    assert "silent.crossed_rows" in RULES
    assert not [name for name in RULES if name.endswith("detect")]
    assert [each.__name__.rpartition("faults.")[2] for each in detect._detect_modules()][:2] == [
        "sizes.operations.element_wise_sizes.detect",
        "silent.crossed_rows.detect",
    ]


def test_what_records_is_asked_before_what_detects():
    names = [each.__name__ for each in detectors().by_operation["sub"]]
    first = [name.startswith("record_") for name in names]
    assert first == sorted(first, reverse=True)
    assert any(first)
    assert not all(first)


def test_what_no_other_detector_explains_is_concluded_last():
    assert detectors().follow[0].__name__ == "probe_models"  # entered first, left last


def test_a_module_that_declares_nothing_is_noticed(monkeypatch):
    monkeypatch.setattr(detect, "_DECLARED", ("MISSPELT",))
    with pytest.raises(AssertionError, match="detects nothing"):
        detect._detect_modules()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_facts_come_back_from_another_process(kind):
    needed = [each for each in dataclasses.fields(kind) if each.default is dataclasses.MISSING]
    facts = kind(**{each.name: 1 for each in needed})
    seen = Observation("silent", "mul", "*", Passage(Place("train.py", 3, "")), (), facts=facts)
    assert decoded(to_json(seen)) == seen


def test_there_are_facts_of_many_kinds():
    assert len(KINDS) >= 16
