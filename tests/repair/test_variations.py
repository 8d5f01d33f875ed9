"""Small changes of the lines a fault came from: which there are, and on which lines."""

import pytest

from wellshaped.records.observation import Observation, Operand
from wellshaped.records.shape import TensorFact
from wellshaped.records.source import Passage, Place
from wellshaped.repair import edited_sources, small_changes

FILE = "train.py"


def at(text, line):
    written = text.splitlines()[line - 1]
    return Passage(Place(FILE, line, ""), None, written.strip(), ((line, written),))


def varied(text, line):
    """The lines that variations of a fault on a line give."""
    operands = (Operand("input", TensorFact((4, 3))), Operand("other", TensorFact((4, 5))))
    seen = Observation("operation", "add", "add", at(text, line), operands, error_type="E")
    found = small_changes(seen, {FILE: text})
    sources = [edited_sources(each.edits, {FILE: text})[FILE] for each in found]
    before = text.splitlines()
    return {
        new
        for each in sources
        for old, new in zip(before, each.splitlines(), strict=True)
        if old != new
    }


@pytest.mark.parametrize(
    ("line", "some"),
    [
        (
            "h = zeros(1, x.size(1), 8)",
            {"h = zeros(1, x.size(0), 8)", "h = zeros(1, x.size(2), 8)"},
        ),
        ("n = x.shape[0]", {"n = x.shape[1]", "n = x.shape[2]"}),
        ("y = x.squeeze()", {"y = x.squeeze(1)", "y = x.squeeze(-1)", "y = x.squeeze(0)", "y = x"}),
        ("y = torch.cat([a, b], 1)", {"y = torch.cat([a, b], 0)", "y = torch.cat([a, b], 2)"}),
        ("y = torch.cat([a, b], dim=0)", {"y = torch.cat([a, b], dim=1)"}),
        ("y = torch.stack(rows)", {"y = torch.stack(rows, dim=1)"}),
        ("y = torch.tensor([v])", {"y = torch.tensor(v)"}),
        ("y = x.view(-1)", {"y = x"}),
    ],
)
def test_a_line_has_its_variations(line, some):
    assert some <= varied(f"{line}\n", 1)


def test_torch_is_not_the_tensor_of_its_functions():
    assert varied("y = torch.flatten(x)\n", 1) == set()


def test_names_are_followed_to_where_they_were_assigned():
    text = "n = ids.size(0)\nlabels = ones(n)\nother = ids.size(0)\nloss = f(scores, labels)\n"
    assert varied(text, 4) == {f"n = ids.size({each})" for each in (1, 2)}


def test_another_function_has_names_of_its_own():
    text = "def g(x):\n    n = x.size(0)\n    return n\n\nn = 7\nloss = f(n)\n"
    assert varied(text, 6) == set()


def test_a_text_that_does_not_parse_has_none():
    assert (
        small_changes(Observation("operation", "add", "add", at("f(", 1), ()), {FILE: "f("}) == []
    )
