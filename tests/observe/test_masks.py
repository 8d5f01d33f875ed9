"""A mask of real positions is told by its values."""

import pytest
import torch

from wellshaped.observe.masks import ends_early, last_real, real_places

RIGHT = torch.tensor([[1, 1, 0, 0], [1, 1, 1, 1], [1, 0, 0, 0]])
NO_MASKS = {
    "another number": RIGHT * 2,
    "scattered": torch.tensor([[1, 0, 1, 0], [0, 1, 1, 0]]),
    "rows that are cut alike": torch.tensor([[1, 1, 0, 0], [1, 1, 0, 0]]),
    "a row of nothing": torch.tensor([[0, 0, 0, 0], [1, 1, 1, 0]]),
    "a round spot": torch.tensor([[0, 1, 1, 0, 0], [1, 1, 1, 1, 0], [0, 1, 0, 0, 0]]),
    "nothing left out": torch.ones(3, 4),
    "one row": RIGHT[:1],
    "three axes": RIGHT[None],
}


@pytest.mark.parametrize("dtype", [torch.bool, torch.int64, torch.float32])
@pytest.mark.parametrize(
    "table", [RIGHT, RIGHT.flip(1), torch.tensor([[0, 1, 1, 0], [0, 1, 0, 0]])]
)
def test_runs_of_ones_are_a_mask(table, dtype):
    assert torch.equal(real_places(table.to(dtype)), table.bool())


@pytest.mark.parametrize("name", NO_MASKS)
def test_other_tables_are_none(name):
    assert real_places(NO_MASKS[name]) is None


def test_where_rows_end():
    assert last_real(RIGHT.bool()).tolist() == [1, 3, 0]
    assert last_real(RIGHT.bool().flip(1)).tolist() == [3, 3, 3]
    assert ends_early(RIGHT.bool())
    assert not ends_early(RIGHT.bool().flip(1))
