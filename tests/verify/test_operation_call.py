"""A repaired operation is held against its rows alone, whichever kernels compute both."""

import pytest

from wellshaped.records.observation import Observation, Operand
from wellshaped.records.repair import Change, Repair
from wellshaped.records.shape import TensorFact
from wellshaped.records.source import Passage, Place
from wellshaped.verify.operation_call import try_operation_repair

# Wide enough that rows together and a row alone are added up in another order.
WIDE = 1537


def product(dtype):
    return {"input": ((64, WIDE), dtype), "other": ((31, WIDE), dtype)}


def outcomes(given, callee="matmul", options=None, **changes):
    """What comes of an operation with changes of its operands, by batch size."""
    operands = tuple(Operand(role, TensorFact(*fact)) for role, fact in given.items())
    passage = Passage(Place("x.py", 1, ""))
    observation = Observation("operation", callee, callee, passage, operands, options or {})
    repair = Repair("", changes=tuple(Change(role, text) for role, text in changes.items()))
    return {each.batch: each.outcome for each in try_operation_repair(observation, repair).trials}


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16"])
def test_a_product_equals_that_of_its_rows(dtype):
    assert outcomes(product(dtype), other=".T") == dict.fromkeys((1, 2, 3, 64), "equal")


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("mixing", [".roll(1, 0)", ".sub(x.mean(0))", ".div(x.std(0) + 1)"])
def test_a_row_that_takes_from_others_is_no_rounding(dtype, mixing):
    found = outcomes(product(dtype), input=mixing, other=".T")
    assert {found[size] for size in (2, 3, 64)} == {"differs"}


def test_a_change_of_the_dtype_is_tried_in_that_dtype():
    """Counts become floats of the other operand's kind, and of no other."""
    shapes = {"input": ((8, 3), "int64"), "other": ((3, 2), "float32")}
    assert set(outcomes(shapes, input=".float()").values()) == {"equal"}
    assert set(outcomes(shapes, input=".double()").values()) == {"refused"}


def test_an_operation_in_place_leaves_its_rows_as_they_were():
    shapes = {"input": ((8, 3), "float32"), "argument 0": ((8,), "float32")}
    found = outcomes(shapes, "mul", {"inplace": True}, **{"argument 0": ".mean()"})
    assert {found[size] for size in (2, 3, 8)} == {"differs"}
