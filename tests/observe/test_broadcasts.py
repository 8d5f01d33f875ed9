"""Every broadcast of a program is listed, those that cross rows first."""

import json

import torch
from torch import nn

from wellshaped.observe.hazards import hazards_seen
from wellshaped.report.broadcasts import as_json, as_text, ordered


def listed():
    with hazards_seen() as trace:
        x, y = torch.randn(8, 3), torch.randn(8)
        pred = nn.Linear(3, 1)(x)
        for _ in range(3):
            x + torch.zeros(3)
        pred - y
        pred * torch.randn(1, 5)
        x + x
    return list(trace.broadcasts.values())


def test_broadcasts_are_counted_and_sorted_by_suspicion():
    found = ordered(listed())
    assert [(each.suspicion, each.count) for each in found] == [
        ("pairs", 1),
        ("both", 1),
        ("one", 3),
    ]
    assert found[0].shapes == ((8, 1), (8,))
    assert found[0].result == (8, 8)


def test_text_and_json_tell_the_same():
    found = listed()
    text, data = as_text(found), json.loads(as_json("train.py", found))
    assert text.splitlines()[0].startswith("pairs")
    assert "(8, 1)  (8,) -> (8, 8)  1x  pred - y" in text
    assert text.endswith("3 broadcasts\n")
    assert [each["count"] for each in data["broadcasts"]] == [1, 1, 3]
    assert data["program"] == "train.py"
