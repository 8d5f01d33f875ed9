"""A change is lossless only if it keeps each element in its row at other sizes too."""

import pytest

from wellshaped.records.observation import Observation, Operand
from wellshaped.records.repair import Change, Repair
from wellshaped.records.shape import TensorFact
from wellshaped.records.source import Passage, Place
from wellshaped.verify.bijection import keeps_elements

HERE = Passage(Place("train.py", 1, ""), None, "loss", ())


def call(callee, **shapes):
    operands = tuple(Operand(role, TensorFact(shape)) for role, shape in shapes.items())
    return Observation("loss", callee, callee, HERE, operands)


@pytest.mark.parametrize(
    ("callee", "shapes", "role", "suffix"),
    [
        ("mse_loss", {"input": (8, 1), "target": (8,)}, "input", ".squeeze(1)"),
        ("mse_loss", {"input": (8, 1), "target": (8,)}, "target", ".unsqueeze(1)"),
        ("mse_loss", {"input": (8, 3, 4), "target": (8, 12)}, "input", ".flatten(1)"),
        ("cross_entropy", {"input": (8, 5, 7), "target": (8, 5)}, "input", ".transpose(1, 2)"),
        ("cross_entropy", {"input": (8, 1, 5), "target": (8,)}, "input", ".squeeze(1)"),
    ],
)
def test_a_bijection_that_keeps_rows(callee, shapes, role, suffix):
    assert keeps_elements(call(callee, **shapes), Repair("", changes=(Change(role, suffix),)))


@pytest.mark.parametrize(
    ("callee", "shapes", "role", "suffix"),
    [
        # Elements are dropped, repeated, or moved to another row.
        ("mse_loss", {"input": (8, 3), "target": (8,)}, "input", "[:, 0]"),
        ("mse_loss", {"input": (8, 3), "target": (8, 1)}, "target", ".expand(8, 3)"),
        ("mse_loss", {"input": (8, 3), "target": (3, 8)}, "target", ".view(8, 3)"),
        ("mse_loss", {"input": (6, 4), "target": (6, 4)}, "input", ".reshape(4, 6).t()"),
        # Rows and positions become one dimension, rows first: the other side may have it otherwise.
        ("mse_loss", {"input": (8, 5, 2), "target": (40, 2)}, "input", ".flatten(0, 1)"),
        # Positions and classes become one dimension of classes.
        ("cross_entropy", {"input": (8, 5, 7), "target": (8,)}, "input", ".flatten(1)"),
        # Right at this size alone: with more than one step it would be the same mistake.
        ("cross_entropy", {"input": (8, 1, 7), "target": (8,)}, "input", ".flatten(1)"),
        ("mse_loss", {"input": (8, 1), "target": (8,)}, "input", ".nothing()"),
    ],
)
def test_what_is_none(callee, shapes, role, suffix):
    assert not keeps_elements(call(callee, **shapes), Repair("", changes=(Change(role, suffix),)))


def test_no_change_is_no_proof():
    assert not keeps_elements(call("mse_loss", input=(8, 1), target=(8,)), Repair(""))
