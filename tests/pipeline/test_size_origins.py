"""Of two sizes that do not fit, both numbers are named: a run with another number showed each."""

import io
from pathlib import Path

import pytest

from wellshaped.diagnose.faults import rules
from wellshaped.execute import Program
from wellshaped.integrations.diagnostics import diagnostics
from wellshaped.locale.catalogue import ENGLISH
from wellshaped.pipeline.check import check
from wellshaped.pipeline.size_origins import odd_one_out
from wellshaped.pipeline.texts import check_text as report_text
from wellshaped.records.finding import SizeOrigin
from wellshaped.records.source import Passage, Place
from wellshaped.report.compose import size_origin_text
from wellshaped.report.formats import machine, sarif

SETTINGS = "classes = 9\nwidth = 6\n"
DATA = """\
import torch

LABELS = 7


def pairs(width):
    rows = torch.randn(8, width)
    return rows, torch.nn.functional.one_hot(torch.arange(8) % 7, LABELS).float()
"""
TRAIN = """\
import torch
from torch import nn
from data import pairs
from settings import classes, width

torch.manual_seed(0)
model = nn.Linear(width, classes)
rows, labels = pairs(width)
for _ in range(2):
    scores = model(rows)
    nn.functional.binary_cross_entropy_with_logits(scores, labels).backward()
"""
FLATTENED = """\
import argparse
import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--width", type=int, default=10)
options = parser.parse_args()

torch.manual_seed(0)
head = nn.Linear(48, 2)
for _ in range(2):
    flat = torch.randn(3, options.width, options.width).flatten(1)
    head(flat).sum().backward()
"""


def checked(folder, monkeypatch, **texts):
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(text)
    monkeypatch.chdir(folder)
    return check(Program("train.py"), budget=60).report


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("two")
        yield checked(folder, patch, train=TRAIN, data=DATA, settings=SETTINGS)


def test_each_size_has_its_number(report):
    (found,) = report.findings
    assert {
        (each.size, Path(each.passage.place.file).name, each.passage.place.line)
        for each in found.diagnosis.finding.origins
    } == {
        (9, "settings.py", 1),
        (7, "data.py", 3),
    }


def test_json_has_both_with_the_lines_between(report):
    (found,) = (machine.finding_to_dict(each) for each in report.findings)
    by_size = {each["size"]: each for each in found["origins"]}
    assert by_size[9]["place"]["file"] == "settings.py"
    assert by_size[9]["path"] == [{"file": "train.py", "line": 7}]
    assert (by_size[7]["place"]["file"], by_size[7]["place"]["line"]) == ("data.py", 3)


def test_the_text_names_both(report):
    text = " ".join(report_text(report, io.StringIO(), "en").split())
    assert "9 comes from `classes = 9` (settings.py:1)" in text
    assert "7 comes from `LABELS = 7` (data.py:3)" in text


def test_sarif_relates_both(report):
    (run,) = sarif.to_dict(report, rules=rules(), version="0")["runs"]
    (found,) = run["results"]
    said = {
        each["physicalLocation"]["artifactLocation"]["uri"].rpartition("/")[2]: each["message"][
            "text"
        ]
        for each in found["relatedLocations"]
    }
    assert "9 comes from" in said["settings.py"]
    assert "7 comes from" in said["data.py"]


def test_the_language_server_relates_both(report):
    shown = [each for several in diagnostics(report, ENGLISH).values() for each in several]
    related = {
        (each.location.uri.rpartition("/")[2], each.location.range.start.line)
        for found in shown
        for each in found.related_information or ()
    }
    assert {("settings.py", 0), ("data.py", 2)} <= related


def test_a_size_that_follows_from_a_number_says_so(tmp_path, monkeypatch):
    (found,) = checked(tmp_path, monkeypatch, train=FLATTENED).findings
    origins = {each.size: each for each in found.diagnosis.finding.origins}
    assert origins[48].passage.place.line == 10
    assert origins[100].passage.place.line == 6
    assert "100 follows from" in size_origin_text(origins[100], ENGLISH)


def origin(value, size=None):
    passage = Passage(Place("train.py", value, ""), None, str(value), ((value, f"n = {value}"),))
    return SizeOrigin(size or value, "input", 1, value, passage)


def test_the_number_that_fewer_lines_agree_with_stands_out():
    files = {"train.py": "a = 7\nb = 7\nc = 9\n"}
    assert odd_one_out((origin(7), origin(9)), files) == origin(9)


def test_of_two_numbers_that_stand_as_often_none_stands_out():
    assert odd_one_out((origin(7), origin(9)), {"train.py": "a = 7\nc = 9\n"}) is None


def test_a_part_of_a_number_is_no_agreement():
    files = {"train.py": "a = 79\nb = 7\nc = 0.9\nd = 9\ne = 9\n"}
    assert odd_one_out((origin(7), origin(9)), files) == origin(7)


def test_a_single_known_origin_is_the_one():
    assert odd_one_out((origin(7),), {}) == origin(7)
    assert odd_one_out((), {}) is None
