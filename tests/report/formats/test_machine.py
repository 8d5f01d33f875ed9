"""A check as JSON, and its golden forms for other programs."""

import copy
import json
from importlib.resources import files
from pathlib import Path

import pytest

from tests.report.reports import HOSTILE, PAGES, REPORT, SOURCES
from tests.report.schema import problems
from wellshaped.records.check import Report
from wellshaped.report.formats import concise, github, machine, patch, sarif

GOLDEN = Path(__file__).parents[2] / "golden" / "report"
SCHEMA = json.loads(files("wellshaped.report").joinpath("schema/check-v2.json").read_text())


@pytest.fixture(autouse=True)
def _in_tmp(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("name", "render"),
    [
        ("check.json", machine.render),
        ("check.sarif", lambda report: sarif.render(report, rules=PAGES, version="0.1.0")),
        ("check.github.txt", github.render),
        ("check.concise.txt", concise.render),
        ("check.patch", lambda report: patch.render(report, SOURCES)),
    ],
)
def test_golden(name, render, rewrite_golden):
    if rewrite_golden:
        (GOLDEN / name).write_text(render(REPORT), encoding="utf-8")
    assert render(REPORT) == (GOLDEN / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("report", [REPORT, HOSTILE, Report("", (), ())])
def test_json_follows_its_schema(report):
    written = machine.render(report)
    assert written.isascii()
    assert json.loads(written) == machine.to_dict(report)
    assert problems(json.loads(written), SCHEMA) == []


@pytest.mark.parametrize(
    ("path", "value", "problem"),
    [
        (".version", 1, "$.version const"),
        (".extra", 1, "$ additionalProperties"),
        (".findings", {}, "$.findings type"),
        (".findings.0.code", "W102", "$.findings[0].code pattern"),
        (".findings.0.severity", "fatal", "$.findings[0].severity enum"),
        (".findings.0.line", 0, "$.findings[0].line minimum"),
        (".findings.0.column", True, "$.findings[0].column type"),
        (".findings.0.origin", {"file": "a.py", "line": 1}, "$.findings[0].origin anyOf"),
        (".findings.0.loss", 5, "$.findings[0].loss type"),
        (".findings.0.tensors.0.shape", [2, "B"], "$.findings[0].tensors[0].shape[1] type"),
        (".findings.0.batch_sizes.fails", [1, 1], "$.findings[0].batch_sizes.fails uniqueItems"),
        (".findings.0.repairs.0.edits.0.text", None, "$.findings[0].repairs[0].edits[0].text type"),
        (".findings.0.repairs.0.level", "sure", "$.findings[0].repairs[0].level enum"),
        (".not_checked.0.line", -1, "$.not_checked[0].line minimum"),
    ],
)
def test_planted_violation_is_seen(path, value, problem):
    planted = inner = copy.deepcopy(machine.to_dict(REPORT))
    *way, last = [int(key) if key.isdigit() else key for key in path.split(".")[1:]]
    for key in way:
        inner = inner[key]
    inner[last] = value
    assert problems(planted, SCHEMA) == [problem]


@pytest.mark.parametrize("key", SCHEMA["$defs"]["finding"]["required"])
def test_lacking_key_is_seen(key):
    planted = copy.deepcopy(machine.to_dict(REPORT))
    del planted["findings"][0][key]
    assert problems(planted, SCHEMA) == ["$.findings[0] required"]


def test_keys_stand_in_the_order_of_the_schema():
    finding = machine.to_dict(REPORT)["findings"][0]
    assert list(finding) == SCHEMA["$defs"]["finding"]["required"]
    assert list(finding["repairs"][0]) == SCHEMA["$defs"]["repair"]["required"]


def test_files_are_named_from_the_working_directory(tmp_path, monkeypatch):
    real = tmp_path / "real"
    (real / "pkg").mkdir(parents=True)
    (tmp_path / "link").symlink_to(real)
    monkeypatch.chdir(tmp_path / "link")
    assert machine.shown_file("./pkg/../a.py") == "a.py"
    assert machine.shown_file(str(real / "pkg" / "a.py")) == "pkg/a.py"
    assert machine.shown_file(str(tmp_path / "link" / "pkg" / "a.py")) == "pkg/a.py"
    assert machine.shown_file(str(tmp_path / "out.py")) == (tmp_path / "out.py").as_posix()
    (real / "lead.py").symlink_to(tmp_path / "out.py")
    assert machine.shown_file("lead.py") == "lead.py"
    assert machine.shown_file("<stdin>") == "<stdin>"
    assert machine.shown_file("nul\0.py") == "nul\0.py"
