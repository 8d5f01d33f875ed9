"""Which sizes met at a call that failed: a product, a loss and a view align them differently."""

import pytest

from wellshaped.records.observation import Observation, Operand
from wellshaped.records.shape import TensorFact
from wellshaped.records.source import Passage, Place
from wellshaped.repair import conflict_of, sizes_at_call

PASSAGE = Passage(Place("train.py", 1, ""), None, "", ())


def call(kind, callee, *shapes, options=None, bounds=None):
    roles = ("input", "other" if kind == "operation" else "target")
    operands = tuple(
        Operand(role, TensorFact(shape), bounds=bounds if role == "target" else None)
        for role, shape in zip(roles, shapes, strict=False)
    )
    return Observation(
        kind, callee, callee, PASSAGE, operands, options=options or {}, error_type="E"
    )


@pytest.mark.parametrize(
    ("seen", "met"),
    [
        (call("operation", "matmul", (4, 5), (6, 5)), {(5, 6)}),
        (call("operation", "add", (2, 3, 4), (3, 5)), {(4, 5)}),
        (call("operation", "add", (2, 3), (2, 1)), set()),
        (call("loss", "mse_loss", (4, 5), (3, 5)), {(4, 3)}),
        (call("loss", "cross_entropy", (4, 5, 8, 8), (4, 8, 7)), {(8, 7)}),
        (call("loss", "cross_entropy", (4, 5), (4,), bounds=(0, 6)), {(5, 7)}),
        (call("module", "Linear", (4, 5), options={"in_features": 6}), {(6, 5)}),
        (call("operation", "view", (4, 6), options={"size": (4, 5)}), {(5, 6)}),
        (call("operation", "view", (4, 6), options={"size": (-1, 5)}), set()),
    ],
)
def test_the_sizes_that_met(seen, met):
    assert conflict_of(seen).pairs == met


def test_a_meeting_names_the_dimension_of_each_side():
    (meeting,) = conflict_of(call("loss", "cross_entropy", (4, 5, 8), (4, 9))).meetings
    assert [(each.name, each.dim, each.size) for each in meeting.sides] == [
        ("input", 2, 8),
        ("target", 1, 9),
    ]


def test_the_sizes_at_a_call_are_those_of_dimensions_options_and_class_numbers():
    seen = call("loss", "cross_entropy", (4, 5), (4,), options={"size": (2, 3)}, bounds=(0, 6))
    assert sizes_at_call(seen) == {
        ("input", 0): 4,
        ("input", 1): 5,
        ("target", 0): 4,
        ("target", None): 7,
        ("size", 0): 2,
        ("size", 1): 3,
    }


STATE = {"num_layers": 1, "hidden_size": 6, "batch_first": True, "bidirectional": True}


@pytest.mark.parametrize(
    ("shape", "pairs", "rows"),
    [
        ((1, 4, 6), {(2, 1)}, set()),
        ((2, 3, 6), {(4, 3)}, {(4, 3)}),
        ((2, 4, 5), {(6, 5)}, set()),
    ],
)
def test_a_state_has_a_row_for_each_direction_and_sample(shape, pairs, rows):
    operands = (Operand("input", TensorFact((4, 7, 3))), Operand("hx", TensorFact(shape)))
    seen = Observation("module", "GRU", "GRU", PASSAGE, operands, options=STATE, error_type="E")
    found = conflict_of(seen)
    assert (found.pairs, found.rows) == (pairs, rows)


def test_the_letters_of_an_equation_meet():
    seen = call("operation", "einsum", (4, 5, 6), (7, 7), options={"args": "btw,vw->btv"})
    assert conflict_of(seen).pairs == {(6, 7)}


def test_parts_may_differ_where_they_are_joined():
    seen = call("operation", "cat", (4, 5, 6), (4, 7, 8), options={"dim": 1})
    assert conflict_of(seen).pairs == {(6, 8)}


def test_an_index_has_no_size_that_another_must_have():
    operands = (
        Operand("input", TensorFact((9, 3))),
        Operand("argument 1", TensorFact((5,), "int64"), bounds=(0, 8)),
        Operand("argument 2", TensorFact((5, 3), "bfloat16")),
    )
    seen = Observation("operation", "index_add_", "", PASSAGE, operands, error_type="E")
    found = conflict_of(seen)
    assert (found.pairs, found.dtypes) == (set(), True)


@pytest.mark.parametrize(("dtype", "about"), [("uint8", True), ("int64", False)])
def test_an_index_has_a_dtype_of_its_own(dtype, about):
    operands = (Operand("input", TensorFact((9, 3))), Operand("index", TensorFact((5, 1), dtype)))
    seen = Observation("operation", "gather", "", PASSAGE, operands, error_type="E")
    assert conflict_of(seen).dtypes is about


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("The expanded size of the tensor (6) must match the existing size (2) at", {(6, 2)}),
        ("The size of tensor a (12) must match the size of tensor b (13) at", {(12, 13)}),
        ("input has inconsistent input_size: expected 60 got 44", {(60, 44)}),
        ("something else with 3 and 4", set()),
    ],
)
def test_a_message_names_sizes_that_no_tensor_shows(text, pairs):
    seen = Observation("operation", "index", "", PASSAGE, (), error_type="E", error_text=text)
    assert conflict_of(seen).pairs == pairs
