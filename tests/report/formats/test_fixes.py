"""A series of repairs for other programs: JSON by its schema, SARIF, and one patch."""

import json
import subprocess
from dataclasses import replace
from importlib.resources import files

import pytest

from tests.report import reports as checks
from tests.report.schema import problems
from wellshaped.records.diagnosis import WrongFix
from wellshaped.records.evidence import Evidence, Trial
from wellshaped.records.fix import (
    Applied,
    ChangedFile,
    FixResult,
    NotKept,
    RepairedFault,
    Size,
    WrittenFile,
)
from wellshaped.records.repair import Repair
from wellshaped.report.formats import fixes, patch

SCHEMA = json.loads(files("wellshaped.report").joinpath("schema/fix-v2.json").read_text())
BEFORE = checks.SOURCES["train.py"]
AFTER = BEFORE.replace("labels)", "labels.squeeze(1))")


def mended():
    wrong = WrongFix(
        "labels.squeeze()",
        Evidence(Repair(""), (Trial(1, "refused"), Trial(2, "equal"))),
        "wrong_batch_axis",
    )
    checked = checks.column()
    first = checked.diagnosis.proposals[0]
    first = replace(first, lines=(("-", "loss = old"), ("+", "loss = new")))
    checked = replace(checked, diagnosis=replace(checked.diagnosis, wrong=(wrong,)))
    return RepairedFault(checked, first, (Size(1, False, True), Size(2, None, True)))


FIXED = FixResult(
    checks.REPORT,
    (mended(),),
    (checks.lineless(),),
    (ChangedFile("train.py", BEFORE, AFTER),),
)
LOST = NotKept("mode", "train.py.bak.1", "0640", "0600")
WRITTEN = replace(FIXED, applied=Applied(1, (WrittenFile("train.py", "train.py.bak.1", (LOST,)),)))


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("fixed", [FIXED, WRITTEN, FixResult(checks.HOSTILE, (), ())])
def test_json_follows_its_schema(fixed):
    written = fixes.render_json(fixed)
    assert written.isascii()
    assert problems(json.loads(written), SCHEMA) == []


def test_json_is_the_check_and_its_fixes():
    said = fixes.to_dict(FIXED)
    (repair,) = said["fixes"]["repairs"]
    assert said["version"] == 2
    assert repair["batch_sizes"] == [
        {"batch": 1, "before": "fails", "after": "holds"},
        {"batch": 2, "before": "unknown", "after": "holds"},
    ]
    assert repair["rejected"] == [{"text": "labels.squeeze()", "fails": [1]}]
    assert [each["code"] for each in said["fixes"]["left"]] == ["WS211"]
    assert said["fixes"]["written_files"] == []


def test_json_says_what_was_written():
    (written,) = fixes.to_dict(WRITTEN)["fixes"]["written_files"]
    assert (written["file"], written["backup"]) == ("train.py", "train.py.bak.1")
    (lost,) = written["not_kept"]
    assert lost == {"what": "mode", "file": "train.py.bak.1", "before": "0640", "after": "0600"}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda said: said["fixes"].pop("left"), "$.fixes required"),
        (lambda said: said["fixes"]["repairs"][0].update(extra=1), "additionalProperties"),
        (lambda said: said["fixes"]["repairs"][0]["batch_sizes"][0].update(after="maybe"), "enum"),
        (lambda said: said["fixes"]["files"][0]["changes"][0].update(line=0), "minimum"),
    ],
)
def test_a_planted_violation_is_seen(change, problem):
    said = fixes.to_dict(FIXED)
    change(said)
    assert [each for each in problems(said, SCHEMA) if problem in each]


def test_what_both_schemas_say_is_the_same():
    check = json.loads(files("wellshaped.report").joinpath("schema/check-v2.json").read_text())
    only_of_check = {"broadcasts", "broadcast", "certificate", "relation", "shape"}
    for part in ("$defs", "properties"):
        shared = {key: check[part][key] for key in check[part].keys() - only_of_check}
        assert shared.items() <= SCHEMA[part].items()


def test_sarif_has_a_fix_that_gives_the_text():
    log = json.loads(fixes.render_sarif(FIXED, rules=checks.PAGES, version="0.1.0"))
    first, second = log["runs"][0]["results"]
    assert "fixes" not in second
    (fix,) = first["fixes"]
    assert fix["properties"] == {"level": "safe", "proven": True}
    (artifact,) = fix["artifactChanges"]
    lines = BEFORE.splitlines(keepends=True)
    for each in reversed(artifact["replacements"]):
        region = each["deletedRegion"]
        lines[region["startLine"] - 1 : region["endLine"] - 1] = [each["insertedContent"]["text"]]
    assert "".join(lines) == AFTER


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_the_patch_is_in_the_encoding_of_each_file(encoding, tmp_path):
    before = BEFORE.replace("import torch", "import torch  # ä")
    after = before.replace("import", "from x import", 1)
    (tmp_path / "train.py").write_bytes(before.encode(encoding))
    made = patch.render_changed([ChangedFile("train.py", before, after, encoding)])
    done = subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=made, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "train.py").read_bytes() == after.encode(encoding)
