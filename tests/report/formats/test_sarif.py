"""A check as SARIF: its own structure, its descriptions, and hostile text."""

import re
from dataclasses import replace

import pytest

from tests.report.reports import HOSTILE, REPORT, column, to_sarif
from wellshaped.diagnose.faults import rules
from wellshaped.report.formats import sarif


@pytest.fixture(autouse=True)
def _in_tmp(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_sarif_has_what_2_1_0_requires():
    log = to_sarif(REPORT)
    assert (log["version"], len(log["runs"])) == ("2.1.0", 1)
    run = log["runs"][0]
    driver = run["tool"]["driver"]
    assert [rule["id"] for rule in driver["rules"]] == ["WS102", "WS211", "WS301"]
    assert run["columnKind"] == "unicodeCodePoints"
    (invocation,) = run["invocations"]
    assert (invocation["executionSuccessful"], invocation["exitCode"]) == (False, 3)
    for result in run["results"]:
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("error", "warning", "note")
        assert result["message"]["text"]
        for place in result["locations"] + result.get("relatedLocations", []):
            physical = place["physicalLocation"]
            assert re.fullmatch(r"(file://)?[\w./%-]+", physical["artifactLocation"]["uri"])
            assert all(number >= 1 for number in physical["region"].values())
        for fix in result.get("fixes", []):
            for change in fix["artifactChanges"]:
                assert change["artifactLocation"]["uri"]
                assert all(each["deletedRegion"]["startLine"] for each in change["replacements"])


def test_sarif_takes_its_descriptions_from_the_page():
    column_rule, _, pairs = to_sarif(REPORT)["runs"][0]["tool"]["driver"]["rules"]
    assert column_rule["shortDescription"] == {"text": "A column."}
    assert column_rule["fullDescription"] == {"text": "One axis."}
    assert pairs["shortDescription"] == {"text": "It compared all."}
    assert pairs["help"]["text"].startswith("It compared all. Then {{more}}.")


def test_sarif_takes_the_rules_as_they_are():
    log = sarif.to_dict(replace(REPORT, findings=(column(),)), rules=rules(), version="0")
    (rule,) = log["runs"][0]["tool"]["driver"]["rules"]
    assert rule["shortDescription"]["text"].endswith(".")
    assert rule["defaultConfiguration"] == {"level": "error"}


def test_sarif_of_hostile_text_holds_no_link_placeholder_or_control():
    run = to_sarif(HOSTILE)["runs"][0]
    (unseen,) = run["invocations"][0]["toolExecutionNotifications"]
    assert unseen["message"] == {"text": "not run: `odd\\n::error::`"}
    result = run["results"][0]
    assert "x[0] (1){{y}}\\n::error::owned\\x1b[2J%" in result["message"]["text"]
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert re.fullmatch(r"[\w./%-]+", uri)
