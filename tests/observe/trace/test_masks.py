"""A mask of real positions is told by its values."""

import pytest
import torch

from tests.diagnose.snippets import diagnosed
from wellshaped.observe.trace.masks import ends_early, last_real, real_places

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


TOKENS = (
    "tokens = torch.tensor([[3, 0, 2, 4, 4], [0, 1, 4, 4, 4], [3, 1, 0, 2, 3], [2, 4, 4, 4, 4]])"
)


@pytest.mark.parametrize(
    "use", ["~padding", "1 - padding.long()", "torch.ones(4, 5).masked_fill(padding, 0)"]
)
def test_a_mask_of_equal_tokens_is_asked_about_where_it_drops_them(use, tmp_path):
    found = diagnosed(f"{TOKENS}\npadding = tokens == 0\nmask = {use}", tmp_path)
    assert found is not None
    assert (found.finding.code, found.finding.variant) == ("WS307", "mask")


def test_a_token_may_be_looked_for(tmp_path):
    assert diagnosed(f"{TOKENS}\nfirst = (tokens == 0).long().argmax(1)", tmp_path) is None
