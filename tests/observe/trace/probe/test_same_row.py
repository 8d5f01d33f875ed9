"""Results of the same rows are compared: along the axis that holds them, but for rounding."""

import torch

from wellshaped.observe.trace.probe.same_row import equal, padded_alike, rows_alike

# B = 6 rows, T = 4 steps, C = 3 features.
KEPT = torch.arange(1, 6, 2)


def test_equal_but_for_rounding():
    one = torch.tensor([1.0, 100.0, float("nan")])
    assert equal(one, one + 0.01)
    assert not equal(one, one + 1)
    assert not equal(torch.tensor([1]), torch.tensor([2]))


def test_rows_are_compared_along_the_axis_that_holds_them():
    before, alike = torch.randn(6, 4, 3), rows_alike(6, KEPT)
    after = before.clone()
    after[::2] = 0
    assert alike(before, after)
    assert alike(before.transpose(0, 1), after.transpose(0, 1))
    assert alike(before.reshape(24, 3), after.reshape(24, 3))
    assert alike(before.reshape(2, 3, 12), after.reshape(2, 3, 12))
    assert not alike(before.reshape(4, 6, 3), after.reshape(4, 6, 3))
    assert not alike(before.mean(0), after.mean(0))


def test_padding_is_left_out_of_the_comparison():
    long, alike = torch.randn(6, 4, 3), padded_alike(6, 4, 2)
    assert alike(long, long[:, :2])
    assert alike(long.reshape(24, 3), long[:, :2].reshape(12, 3))
    assert not alike(long.mean(1), long[:, :2].mean(1))
