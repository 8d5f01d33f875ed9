"""Type promotion against torch, exhaustively."""

import itertools

import pytest
import torch

from wellshaped.contracts.promotion import castable, promote, result_dtype
from wellshaped.records.shape import DTYPES


def name(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


@pytest.mark.parametrize(("first", "second"), [*itertools.product(DTYPES, DTYPES)])
def test_promotion_is_torchs(first, second):
    one, two = getattr(torch, first), getattr(torch, second)
    assert promote(first, second) == name(torch.promote_types(one, two))
    assert castable(first, second) == torch.can_cast(one, two)
    for ranks in itertools.product((0, 1), (0, 1)):
        tensors = [
            torch.zeros((1,) * rank, dtype=d) for rank, d in zip(ranks, (one, two), strict=True)
        ]
        ours = result_dtype(zip((first, second), ranks, strict=True))
        assert ours == name(torch.result_type(*tensors))
    for number in (True, 2, 0.5):
        ours = result_dtype([(first, 1)], [number])
        assert ours == name(torch.result_type(torch.zeros(1, dtype=one), number))
