"""Two kernels give one result but for its last digits; other values are other values."""

import pytest
import torch

from wellshaped.contracts.rounding import near, share
from wellshaped.observe.trace.probe.same_row import equal

DTYPES = (torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.complex64)
dtypes = pytest.mark.parametrize("dtype", DTYPES, ids=str)


@dtypes
def test_neighbouring_numbers_are_near(dtype):
    values = torch.linspace(-1, 1, 9, dtype=dtype)
    step = 1 + 4 * torch.finfo(dtype).eps
    assert near(values, values * step)
    assert not near(values, values * 1.2)
    assert not near(values, values.roll(1))


def test_what_is_not_rounded_is_equal_or_is_not():
    numbers = torch.arange(4)
    assert near(numbers, numbers.clone())
    assert not near(numbers * 10**6, numbers * 10**6 + 1)
    assert not near(torch.ones(2), torch.ones(2, 1))
    assert near(torch.ones(0, 3), torch.ones(0, 3))


def test_what_is_not_finite_hides_no_difference():
    infinite = torch.tensor([float("inf"), 1.0])
    assert near(infinite, infinite.clone())
    assert not near(infinite, torch.tensor([float("inf"), 1.1]))
    assert not near(torch.tensor([float("nan")]), torch.tensor([float("nan")]))


def test_autocast_rounds_more_than_its_results_say():
    values = torch.ones(3)
    fine = share(values)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert share(values) == share(values.bfloat16()) > fine
    assert share(values) == fine


def test_a_row_rounded_otherwise_in_half_precision_is_the_same_row():
    values = torch.linspace(-1, 1, 9).bfloat16()
    assert equal(values, values * (1 + torch.finfo(torch.bfloat16).eps))
    assert not equal(values, values.roll(1))
