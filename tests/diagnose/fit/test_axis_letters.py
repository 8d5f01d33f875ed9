"""Letters of axes, and the axes that a repair or a contract tells to be wrong."""

import pytest

from wellshaped.diagnose.fit.axis_letters import (
    changed_axes,
    misfits,
    needed_sizes,
    of_layer,
    of_operand,
    other_sizes,
)


def letters(axes) -> str:
    return "".join(axis.name or "." for axis in axes)


@pytest.mark.parametrize(
    ("text", "needs", "shape", "expected"),
    [
        ("logits_BTV", "", (4, 5, 6), "BTV"),
        ("logits_BTV", "(B, C)", (4, 5), "BC"),
        ("logits", "(B, C, H, W)", (4, 5, 6, 6), "BCHW"),
        ("logits", "(*S)", (4, 5), "B."),
        ("logits", "(..., 160)", (4, 5), "B."),
        ("logits", "", (5, 4), ".."),
        ("scores()", "", (), ""),
    ],
)
def test_letters_of_an_operand(text, needs, shape, expected):
    assert letters(of_operand(text, needs, shape, 4)) == expected


def test_letters_of_layers_name_the_batch_only_where_it_is():
    assert letters(of_layer("Conv2d", (4, 3, 8, 8), 4)) == "BCHW"
    assert letters(of_layer("Embedding", (10, 24), 4)) == ".F"
    assert letters(of_layer("view", (4, 24), 4)) == "B."


@pytest.mark.parametrize(
    ("before", "after", "wrong", "new"),
    [
        ((4,), (4, 1), {1: "missing"}, {1: "added"}),
        ((1,), (1, 1), {1: "missing"}, {1: "added"}),
        ((4, 1), (4,), {1: "wrong"}, {}),
        ((4, 1, 1), (4, 1), {2: "wrong"}, {}),
        ((4, 7, 5), (4, 5, 7), {1: "wrong", 2: "wrong"}, {}),
        ((4, 10, 4, 4), (4, 160), {1: "wrong", 2: "wrong", 3: "wrong"}, {}),
        ((4,), (4,), {}, {}),
    ],
)
def test_a_repair_tells_which_axis_was_wrong(before, after, wrong, new):
    assert changed_axes(before, after) == (wrong, new)


def test_numbers_that_are_needed():
    assert needed_sizes("(..., 160)") == ("...", "160")
    assert misfits("(..., 160)", (6, 10, 4, 4)) == {3: "wrong"}
    assert misfits("(B, 3, H, W)", (6, 1, 4, 4)) == {1: "wrong"}
    assert misfits("(B, 3)", (6, 3)) == {}
    assert misfits("(B, 3)", (6,)) == {}


def test_sizes_that_stand_beside_each_other():
    assert other_sizes((4, 5), (4, 6)) == {1: "wrong"}
    assert other_sizes((4, 1), (4, 6)) == {}
    assert other_sizes((3, 5), (5,)) == {}
