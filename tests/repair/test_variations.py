"""Small changes of the lines a fault came from: which there are, and on which lines."""

import pytest

from wellshaped.records.observation import FrameNames, Observation, Operand
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


def with_shapes(text, line, *shapes, kind="operation", frames=(), texts=None, **more):
    """The texts that variations give where tensors of these shapes met."""
    roles = ("input", "target", "third")
    operands = tuple(
        Operand(role, TensorFact(shape)) for role, shape in zip(roles, shapes, strict=False)
    )
    seen = Observation(
        kind,
        "mse_loss",
        "mse_loss",
        at(text, line),
        operands,
        error_type="E",
        frames=frames,
        **more,
    )
    found = small_changes(seen, texts or {FILE: text})
    return {(each.facts["why"], each.edits[0].text) for each in found}


def test_a_number_that_sets_a_size_gets_the_other():
    text = "n_class = 20\nloss = f(net(n_class), target)\n"
    found = with_shapes(text, 2, (2, 20, 8), (2, 32, 8), kind="loss")
    assert ("number", "32") in found


def test_a_factor_of_a_size_is_scaled():
    text = "k = 5\nloss = f(net(k), target)\n"
    assert ("factor", "8") in with_shapes(text, 2, (2, 20), (2, 32), kind="loss")


def test_the_number_of_rows_comes_last():
    text = "rows = 20\nloss = f(net(rows), target)\n"
    found = with_shapes(text, 2, (20, 3), (32, 3), kind="loss")
    assert ("amount", "32") in found
    assert ("number", "32") not in found


def test_sizes_of_made_up_data_come_last():
    text = "x = torch.randn(4, 20)\nloss = f(x, target)\n"
    assert ("amount", "32") in with_shapes(text, 2, (4, 20), (4, 32), kind="loss")


def test_an_argument_left_to_its_default_is_given():
    text = "def build(width=20):\n    return width\n\nloss = f(build(), target)\n"
    found = with_shapes(text, 4, (2, 20), (2, 32), kind="loss")
    assert ("given", "build(width=32)") in found
    assert ("default", "32") in found


def test_a_fixed_number_of_rows_is_read_from_a_tensor():
    frames = (FrameNames(Place(FILE, 1, ""), (("bs", 16), ("x", TensorFact((11, 4))))),)
    text = "h = zeros(bs, 4)\n"
    assert ("rows", "x.size(0)") in with_shapes(text, 1, (16, 4), (11, 4), frames=frames)


def test_another_tensor_has_the_rows_that_fit():
    held = (("labels", TensorFact((16,))), ("y_train", TensorFact((96,))))
    frames = (FrameNames(Place(FILE, 1, ""), held),)
    found = with_shapes("g(y_train)\n", 1, (96, 96), (16, 16), frames=frames)
    assert ("name", "labels") in found


def test_a_loss_for_class_numbers_is_offered_where_the_target_has_them():
    classes = Operand("target", TensorFact((4,), "int64"), traits=frozenset({"whole"}))
    seen = Observation(
        "loss",
        "mse_loss",
        "MSELoss",
        at("loss = nn.MSELoss()(x, y)\n", 1),
        (Operand("input", TensorFact((4, 9))), classes),
        error_type="E",
    )
    found = small_changes(seen, {FILE: "loss = nn.MSELoss()(x, y)\n"})
    assert "nn.CrossEntropyLoss" in {each.edits[0].text for each in found}
