"""The list of broadcasts: as text under headings, as a part of the JSON of a check."""

import json
from importlib.resources import files

from tests.report.schema import problems
from wellshaped.records.broadcast import Broadcast
from wellshaped.records.check import Report
from wellshaped.records.source import Passage, Place, Span
from wellshaped.report.formats import machine
from wellshaped.report.text import broadcasts

SCHEMA = json.loads(files("wellshaped.report").joinpath("schema/check-v2.json").read_text())


def passage(line, text):
    return Passage(Place("train.py", line, ""), Span(line, 4, line, 4 + len(text)), text)


FOUND = (
    Broadcast(passage(3, "x + bias"), "add", ((8, 3), (3,)), (8, 3), "weights", 40),
    Broadcast(passage(9, "pred - y"), "sub", ((8, 1), (8,)), (8, 8), "pairs", 20),
    Broadcast(passage(5, "q * k"), "mul", ((8, 1), (1, 5)), (8, 5), "both", 2),
)


def test_the_suspicious_come_first_under_what_they_are_suspected_of():
    assert broadcasts.render(FOUND).splitlines() == [
        "rows of the batch with rows of the batch, every pair of them",
        "  train.py:9  (8, 1), (8,) -> (8, 8), 20x  pred - y",
        "each stretched against the other",
        "  train.py:5  (8, 1), (1, 5) -> (8, 5), 2x  q * k",
        "a parameter stretched over data",
        "  train.py:3  (8, 3), (3,) -> (8, 3), 40x  x + bias",
        "3 broadcasts",
    ]


def test_json_has_them_where_they_were_asked_for():
    said = machine.to_dict(Report("train.py", (), (), FOUND))
    assert list(problems(said, SCHEMA)) == []
    assert [each["suspicion"] for each in said["broadcasts"]] == ["pairs", "both", "weights"]
    assert said["broadcasts"][0]["shapes"] == [[8, 1], [8]]
    assert machine.to_dict(Report("train.py", (), (), ()))["broadcasts"] == []
    assert "broadcasts" not in machine.to_dict(Report("train.py", (), ()))
