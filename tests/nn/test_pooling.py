"""Pooling reads real positions only, at any batch size and on either side of the padding."""

import pytest
import torch

from wellshaped.nn import AttentionPool, Pool, pool_first, pool_last, pool_max, pool_mean
from wellshaped.records.phrase import UserError

NAMES = ("last", "first", "mean", "max", "attention")
REFERENCE = {
    "last": lambda row: row[-1],
    "first": lambda row: row[0],
    "mean": lambda row: row.mean(0),
    "max": lambda row: row.amax(0),
}
LENGTHS = torch.tensor([3, 1, 4])
RIGHT = torch.arange(4) < LENGTHS.unsqueeze(1)
LEFT = RIGHT.flip(1)
HOLES = torch.tensor([[1, 0, 1, 0], [0, 1, 0, 0], [0, 1, 1, 1]])
masks = pytest.mark.parametrize("mask", [RIGHT, LEFT, HOLES], ids=["right", "left", "holes"])


def values_of(mask, *trailing, junk=float("nan")):
    torch.manual_seed(0)
    values = torch.randn(*mask.shape, *trailing)
    values[~mask.bool()] = junk
    return values


@masks
@pytest.mark.parametrize("name", REFERENCE)
@pytest.mark.parametrize("junk", [float("nan"), float("inf"), 1e30])
def test_each_row_is_pooled_alone(name, mask, junk):
    values = values_of(mask, 5, junk=junk)
    pooled = Pool(name, 5)(values, mask)
    alone = [REFERENCE[name](row[keep.bool()]) for row, keep in zip(values, mask, strict=True)]
    torch.testing.assert_close(pooled, torch.stack(alone))


@masks
def test_attention_is_a_mean_with_learned_shares(mask):
    values, pool = values_of(mask, 5), AttentionPool(5)
    for number, keep in enumerate(mask.bool()):
        row = values[number, keep]
        shares = torch.softmax(pool.score(row).squeeze(-1) / 5**0.5, 0)
        torch.testing.assert_close(pool(values, mask)[number], shares @ row)


@pytest.mark.parametrize("name", NAMES)
def test_lengths_say_what_a_mask_on_the_right_says(name):
    values, pool = values_of(RIGHT, 5), Pool(name, 5)
    for lengths in (LENGTHS, LENGTHS.int()):
        assert torch.equal(pool(values, lengths), pool(values, RIGHT))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("shape", [(0, 4), (0, 0), (1, 4), (1, 1)])
def test_the_batch_axis_stays(name, shape):
    mask = torch.ones(shape, dtype=torch.bool)
    assert Pool(name, 5)(torch.randn(*shape, 5), mask).shape == (shape[0], 5)


@pytest.mark.parametrize("pool", [pool_last, pool_first, pool_mean, pool_max])
@pytest.mark.parametrize("trailing", [(), (2,), (2, 3)])
def test_positions_may_have_any_axes(pool, trailing):
    values = values_of(RIGHT, *trailing)
    assert pool(values, RIGHT).shape == (3, *trailing)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [0, 4])
def test_a_row_of_nothing_is_zero_and_trains_nothing(name, width):
    values = torch.full((2, width, 5), float("nan"), requires_grad=True)
    pool = Pool(name, 5)
    pooled = pool(values, torch.zeros(2, dtype=torch.long))
    assert torch.equal(pooled, torch.zeros(2, 5))
    pooled.sum().backward()
    assert (values.grad == 0).all()
    assert all((weight.grad == 0).all() for weight in pool.parameters())


@masks
@pytest.mark.parametrize("name", NAMES)
def test_gradients_at_padding_are_exactly_zero(name, mask):
    values = values_of(mask, 5).requires_grad_()
    Pool(name, 5)(values, mask).square().sum().backward()
    assert (values.grad[~mask.bool()] == 0).all()
    assert torch.isfinite(values.grad).all()
    assert (values.grad.flatten(1).abs().sum(1) > 0).all()


@pytest.mark.parametrize(
    "real",
    [
        torch.ones(3, 4),
        torch.ones(3),
        torch.ones(3, 5, dtype=torch.bool),
        torch.ones(4, dtype=torch.long),
        torch.ones(3, dtype=torch.bool),
        torch.ones(3, 4, 1, dtype=torch.bool),
    ],
    ids=lambda real: f"{tuple(real.shape)}-{real.dtype}",
)
def test_what_may_mean_something_else_is_refused(real):
    with pytest.raises(UserError, match=r"^WS922: `real` is \(.*needed is a mask \(3, 4\)"):
        pool_mean(torch.zeros(3, 4, 5), real)


@pytest.mark.parametrize("length", [5, -1])
def test_lengths_beyond_the_positions_are_refused(length):
    with pytest.raises(
        UserError, match=rf"^WS922: row 1 has length {length}: the number of positions is 4"
    ):
        pool_mean(torch.zeros(3, 4, 5), torch.tensor([4, length, 0]))
