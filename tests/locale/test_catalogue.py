"""Words: filled with facts, all in one language or all in English."""

import json
import subprocess
import sys

import pytest

from tests.report.reports import REPORT
from wellshaped.locale.catalogue import ENGLISH, Untranslated, Words, words
from wellshaped.locale.entries import english, entries, entry_key, stamp
from wellshaped.records.phrase import phrase
from wellshaped.report import summary
from wellshaped.report.compose import compose
from wellshaped.report.formats import machine
from wellshaped.report.text.page import render
from wellshaped.report.text.terminal import render as drawn

EVERY = {name: (stamp(text), f"«{text}»") for name, text in entries()}
OTHER = Words("xx", EVERY)
CHECKED = REPORT.findings[0]


def without(*parts):
    return Words("xx", {name: entry for name, entry in EVERY.items() if name != entry_key(*parts)})


def stale(*parts):
    return Words("xx", {**EVERY, entry_key(*parts): ("00000000", "old")})


def test_every_entry_is_found_under_its_key():
    for name, text in entries():
        assert text == english(*name.split(".", 2))


def test_sentences_hold_facts_and_phrases():
    facts = {"rest": phrase("inputs"), "label": "L", "odd": "target"}
    said = ENGLISH.sentence("WS101", "headline", "fewer", facts)
    assert said.endswith("its inputs")
    assert "«its inputs»" in OTHER.sentence("WS101", "headline", "fewer", facts)


def test_a_diagnosis_is_in_one_language_throughout():
    finding = CHECKED.diagnosis.finding
    plain = drawn(compose(CHECKED.diagnosis, CHECKED.swept))
    assert drawn(compose(CHECKED.diagnosis, CHECKED.swept, words=OTHER)) != plain
    for gap in (
        without(finding.code, "why", finding.variant),
        stale(finding.code, "headline", finding.variant),
        without("label", "more"),
        stale("label", finding.severity),
    ):
        assert drawn(compose(CHECKED.diagnosis, CHECKED.swept, words=gap)) == plain


def test_what_a_diagnosis_does_not_say_may_be_missing():
    gap = without("WS999", "why")
    assert drawn(compose(CHECKED.diagnosis, words=gap)) == drawn(
        compose(CHECKED.diagnosis, words=OTHER)
    )


@pytest.mark.parametrize("gap", [without("WS101", "page"), without("label", "error")])
def test_a_page_is_in_one_language_throughout(gap):
    assert render("WS101", gap) == render("WS101")
    assert render("WS101", OTHER).startswith("WS101  missing-axis  («error»)\n\n«")


def test_each_line_of_a_summary_is_whole():
    lines = summary.render(REPORT, without("note", "stand_in")).splitlines()
    assert lines[0] == "««its own batch size (8, 32)»: finished»"
    assert lines[4] == "note[WS906]: train.py:71: a branch was taken on a stand-in value"
    assert lines[-1].startswith("«")


def test_json_is_the_same_in_every_language(monkeypatch):
    monkeypatch.setenv("WELLSHAPED_LANG", "ja")
    assert words().lang == "ja"
    said = json.loads(machine.render(REPORT))["not_checked"][0]["reason"]
    assert said == "a branch was taken on a stand-in value"


def test_missing_words_raise():
    with pytest.raises(Untranslated, match=r"WS101\.page"):
        without("WS101", "page").page("WS101")


def test_english_reads_no_table():
    code = "import sys; from wellshaped.locale.catalogue import words; words('en').label('why');"
    code += "sys.exit('tomllib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
