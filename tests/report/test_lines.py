"""A check as single lines: workflow commands and `concise`."""

import pytest

from tests.report.reports import HOSTILE, column, to_sarif
from wellshaped.records.check import NotChecked, Report
from wellshaped.records.phrase import phrase
from wellshaped.report.formats import concise, github, machine, patch


@pytest.fixture(autouse=True)
def _in_tmp(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_workflow_commands_of_hostile_text_stay_single():
    first, second = github.render(HOSTILE).splitlines()
    name = 'a b%3A%2C%25"\\%0D%0A%3A%3Aerror%3A%3A\\x1b[31m\\udc80.py'
    assert first.startswith(f"::error file={name},line=58,endLine=58,col=12,title=WS102 column")
    assert first.split("::", 2)[2].startswith("`x[0](1){y}\\n::error::owned\\x1b[2J%25` got")
    assert (
        second == f"::notice file={name},line=1,title=WS941 not checked::not run: `odd\\n::error::`"
    )


def test_lines_of_hostile_text_stay_single_and_printable():
    written = concise.render(HOSTILE)
    assert written.count("\n") == 2
    assert all(line.isprintable() for line in written.splitlines())


def test_a_cell_is_named_by_its_notebook_and_its_number(tmp_path):
    file = f"{tmp_path}/a b.ipynb#cell3"
    report = Report(
        "a b.ipynb", (column(file),), (NotChecked("WS953", file, 2, phrase("not_run", text="!ls")),)
    )
    assert machine.to_dict(report)["findings"][0]["file"] == "a b.ipynb#cell3"
    assert concise.render(report).startswith("a b.ipynb#cell3:58:12: WS102 ")
    (result,) = to_sarif(report)["runs"][0]["results"]
    physical = result["locations"][0]["physicalLocation"]
    assert physical["artifactLocation"]["uri"] == "a%20b.ipynb#cell3"
    # GitHub shows a note beside a file that exists, and counts the lines of the JSON.
    finding, note = github.render(report).splitlines()
    assert finding.startswith("::error file=a b.ipynb,title=WS102 column-target::cell3:58: ")
    assert note == "::notice file=a b.ipynb,title=WS953 not checked::cell3:2: not run: `!ls`"


def test_nothing_found_prints_nothing():
    nothing = Report("train.py", (), ())
    assert concise.render(nothing) == github.render(nothing) == patch.render(nothing, {}) == ""
