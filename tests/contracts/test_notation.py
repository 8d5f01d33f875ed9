"""The notation: what it reads, what it refuses, what it blames."""

import pytest

from wellshaped.contracts.formula import compiled, run_formula
from wellshaped.contracts.match import best_conflict, first_conflict
from wellshaped.contracts.notation import Term, parse_arrangement
from wellshaped.contracts.sketch import Sketch

CLASSES = "input (B, C, *S)  target (B, *S)  weight? (C)"


def test_reads_axes_runs_and_optional_arguments():
    assert parse_arrangement("input (B, *S)  weight? <(B, 1)  var (*S)/1") == (
        Term("input", False, "exact", ("B", "*S")),
        Term("weight", True, "into", ("B", "1")),
        Term("var", False, "one", ("*S",)),
    )


@pytest.mark.parametrize("line", ["input B, C", "input (b)", "input (*S, *T)", "input (B))"])
def test_refuses_what_is_not_in_the_notation(line):
    with pytest.raises(ValueError, match=r"not|two"):
        parse_arrangement(line)


@pytest.mark.parametrize(
    ("shapes", "argument", "axis"),
    [
        ({"input": (8, 5), "target": (8,)}, None, None),
        ({"input": (8, 5, 3, 2), "target": (8, 3, 2), "weight": (5,)}, None, None),
        ({"input": (8, 5), "target": (7,)}, "target", 0),
        ({"input": (8, 5), "target": (8, 1)}, "target", 1),
        ({"input": (8, 5, 3), "target": (8, 4)}, "target", 1),
        ({"input": (8, 5), "target": (8,), "weight": (4,)}, "weight", 0),
        ({"input": (8,), "target": (8,)}, "input", None),
    ],
)
def test_blames_the_argument_and_axis(shapes, argument, axis):
    blame = first_conflict(CLASSES, shapes)
    assert (blame and blame.argument, blame and blame.axis) == (argument, axis)


@pytest.mark.parametrize(
    ("shape", "fits"),
    [((), True), ((1,), True), ((4,), True), ((3, 1), True), ((1, 3, 4), False), ((3,), False)],
)
def test_into_accepts_what_broadcasts_without_enlarging(shape, fits):
    blame = first_conflict("input (*S)  weight <(*S)", {"input": (3, 4), "weight": shape})
    assert (blame is None) is fits


@pytest.mark.parametrize(
    ("shape", "fits"), [((3, 4), True), ((3, 1), True), ((1, 1), False), ((3,), False)]
)
def test_one_axis_may_shrink(shape, fits):
    blame = first_conflict("input (*S)  var (*S)/1", {"input": (3, 4), "var": shape})
    assert (blame is None) is fits


def test_the_arrangement_that_comes_furthest_is_blamed():
    lines = ("input (C)  target ()", CLASSES)
    blame = best_conflict(lines, {"input": (8, 5, 3), "target": (8, 4)})
    assert blame is not None
    assert (blame.argument, blame.axis) == ("target", 1)


@pytest.mark.parametrize("steps", ["import os", "x = 1", "[a for a in b]", "lambda: 1"])
def test_formula_language_refuses_the_rest_of_python(steps):
    with pytest.raises((ValueError, SyntaxError)):
        compiled(steps)


def test_formula_reaches_no_builtins():
    with pytest.raises(NameError):
        run_formula("open('x')", {"input": Sketch((1,), "float32")})
