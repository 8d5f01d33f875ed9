"""Recurrent layers over padded rows give what each row gives alone."""

import pytest
import torch

from tests.floats import CLOSE
from wellshaped.nn import MaskedGRU, MaskedLSTM
from wellshaped.nn.spans import Span, spans_of
from wellshaped.nn.stepwise import stepwise
from wellshaped.records.phrase import UserError

D, H = 3, 4
LENGTHS = torch.tensor([2, 5, 1, 4])
RIGHT = torch.arange(5) < LENGTHS.unsqueeze(1)
MASKS = {"right": RIGHT, "left": RIGHT.flip(1), "holes": RIGHT[:, [3, 0, 2, 1, 4]]}

masks = pytest.mark.parametrize("mask", MASKS.values(), ids=MASKS.keys())
kinds = pytest.mark.parametrize("kind", [MaskedLSTM, MaskedGRU])
builds = pytest.mark.parametrize(
    ("layers", "bidirectional"), [(1, False), (1, True), (2, False), (3, True)]
)


def make(kind, layers=1, bidirectional=False):
    torch.manual_seed(0)
    return kind(D, H, layers, bidirectional=bidirectional)


def inputs_of(mask, junk=float("nan")):
    torch.manual_seed(1)
    inputs = torch.randn(*mask.shape, D)
    inputs[~mask] = junk
    return inputs


def parts(state):
    return state if isinstance(state, tuple) else (state,)


def state_of(module, rows=4):
    torch.manual_seed(2)
    count = module.layers.num_layers * (2 if module.layers.bidirectional else 1)
    made = tuple(torch.randn(count, rows, H) for _ in range(2))
    return made if isinstance(module, MaskedLSTM) else made[0]


@masks
@kinds
@builds
@pytest.mark.parametrize("given", [False, True], ids=["zeros", "state"])
def test_each_row_gives_what_it_gives_alone(kind, layers, bidirectional, mask, given):
    module, inputs = make(kind, layers, bidirectional), inputs_of(mask)
    state = state_of(module) if given else None
    outputs, final = module(inputs, mask, state)
    assert (outputs[~mask] == 0).all()
    for number, keep in enumerate(mask):
        row = slice(number, number + 1)
        before = tuple(part[:, row].contiguous() for part in parts(state)) if given else None
        if given and kind is MaskedGRU:
            (before,) = before
        alone, after = module.layers(inputs[row, keep], before)
        torch.testing.assert_close(outputs[row, keep], alone, **CLOSE)
        for ours, theirs in zip(parts(final), parts(after), strict=True):
            torch.testing.assert_close(ours[:, row], theirs, **CLOSE)


@kinds
def test_lengths_say_what_a_mask_on_the_right_says(kind):
    module, inputs = make(kind), inputs_of(RIGHT)
    for lengths in (LENGTHS, LENGTHS.int()):
        outputs, final = module(inputs, lengths)
        again, last = module(inputs, RIGHT)
        torch.testing.assert_close(outputs, again, **CLOSE)
        torch.testing.assert_close(parts(final), parts(last), **CLOSE)


@masks
@kinds
@builds
def test_step_by_step_is_the_same(kind, layers, bidirectional, mask):
    module, inputs = make(kind, layers, bidirectional), inputs_of(mask, junk=7.0)
    outputs, final = module(inputs, mask)
    again, last = stepwise(module.layers, inputs, mask, module.initial(inputs))
    torch.testing.assert_close(again, outputs, **CLOSE)
    torch.testing.assert_close(last, parts(final), **CLOSE)


@kinds
@builds
def test_packed_is_the_same(kind, layers, bidirectional, monkeypatch):
    module, inputs = make(kind, layers, bidirectional), inputs_of(RIGHT)
    outputs, final = module(inputs, RIGHT, state_of(module))
    monkeypatch.setattr(torch.compiler, "is_compiling", lambda: True)
    again, last = module(inputs, RIGHT, state_of(module))
    torch.testing.assert_close(again, outputs, **CLOSE)
    torch.testing.assert_close(parts(last), parts(final), **CLOSE)


@kinds
@pytest.mark.parametrize("seed", range(3))
def test_many_rows_in_spans_of_many_lengths(kind, seed):
    module = make(kind, 2, True)
    torch.manual_seed(seed)
    lengths = (30 * torch.rand(40) ** 3).long() + 1
    inputs = torch.randn(40, int(lengths.max()) + 2, D)
    before = state_of(module, rows=40)
    outputs, final = module(inputs, lengths, before)
    mask = torch.arange(inputs.shape[1]) < lengths.unsqueeze(1)
    again, last = stepwise(module.layers, inputs, mask, parts(before))
    torch.testing.assert_close(outputs, again, **CLOSE)
    torch.testing.assert_close(parts(final), last, **CLOSE)


def test_spans_end_where_half_of_their_rows_do():
    assert spans_of([50, 40, 20, 10]) == [Span(0, 20, 4), Span(20, 40, 2), Span(40, 50, 1)]
    assert spans_of([9, 9, 9]) == [Span(0, 9, 3)]
    assert spans_of([12, 3, 2, 1]) == [Span(0, 8, 4), Span(8, 12, 1)]
    assert spans_of([3, 1]) == [Span(0, 3, 2)]


@masks
@kinds
def test_gradients_at_padding_are_exactly_zero(kind, mask):
    module, inputs = make(kind, 2, True), inputs_of(mask).requires_grad_()
    outputs, final = module(inputs, mask)
    (outputs.square().sum() + sum(part.sum() for part in parts(final))).backward()
    assert (inputs.grad[~mask] == 0).all()
    assert (inputs.grad[mask] != 0).any(-1).all()
    for weight in module.parameters():
        assert torch.isfinite(weight.grad).all()


@kinds
@pytest.mark.parametrize(("rows", "width"), [(0, 0), (0, 5), (1, 1), (1, 5)])
def test_the_batch_axis_stays(kind, rows, width):
    module = make(kind, 2, True)
    inputs = torch.randn(rows, width, D)
    outputs, final = module(inputs, torch.ones(rows, width, dtype=torch.bool))
    assert outputs.shape == (rows, width, 2 * H)
    assert all(part.shape == (4, rows, H) for part in parts(final))
    (outputs.sum() + parts(final)[0].sum()).backward()


@kinds
def test_a_row_of_nothing_is_refused_by_its_number(kind):
    with pytest.raises(UserError, match=r"^WS923: row 1 has no real position"):
        make(kind)(torch.zeros(3, 4, D), torch.tensor([2, 0, 4]))


@kinds
def test_dropout_is_between_layers_and_in_training_only(kind):
    module = kind(D, H, 2, dropout=0.5)
    inputs = inputs_of(RIGHT, junk=0.0)
    for run in (module, lambda x, mask: stepwise(module.layers, x, mask, module.initial(x))):
        module.train()
        torch.manual_seed(3)
        first, second = run(inputs, RIGHT)[0], run(inputs, RIGHT)[0]
        assert not torch.equal(first, second)
        module.eval()
        assert torch.equal(run(inputs, RIGHT)[0], run(inputs, RIGHT)[0])
