"""An edit is lossless only where its text says so; everything else is a choice."""

import pytest

from wellshaped.repair.moves import moves_between

LOSSLESS = {
    "layout": [
        ("loss = f(x, y)", "loss = f(x, y.unsqueeze(1))"),
        ("loss = f(x.squeeze(), y)", "loss = f(x.flatten(1), y)"),
        ("a = x.view(32, -1)", "a = x.view(x.size(0), -1)"),
        ("a = x.view(3, 4)", "a = x.reshape(3, 4)"),
        ("f(x, y)", "f(x.permute(0, 2, 1), y)"),
        ("f(x + y)", "f(x[:, None] + y)"),
        ("f(x.reshape(-1), y)", "f(x, y)"),
        ("f(x)", "x = x.squeeze(1)\nf(x)"),
    ],
    "row_count": [
        ("h = torch.zeros(2, 32, 8)", "h = torch.zeros(2, x.size(0), 8)"),
        ("h = torch.zeros(batch_size, 8)", "h = torch.zeros(len(x), 8)"),
        ("h = torch.ones(args.batch, 8)", "h = torch.ones(x.shape[0], 8)"),
    ],
    "size_index": [
        ("m = ids.size(0)", "m = ids.size(1)"),
        ("m = ids.shape[0]", "m = ids.shape[1]"),
    ],
    "keepdim": [("s = x.sum(1)", "s = x.sum(1, keepdim=True)")],
    "dtype": [("f(x, y)", "f(x, y.long())"), ("f(x)", "f(x.to(torch.float32))")],
}
CHOICES = {
    "slice": [("f(x)", "f(x[:, :3])"), ("f(x)", "f(x[:, 0])")],
    "resize": [("f(x, y)", "f(F.interpolate(x, size=(2, 2)), y)")],
    "pad": [("f(x)", "f(F.pad(x, (0, 1)))")],
    "argmax": [("f(x, y)", "f(x, y.argmax(1))")],
    "one_hot": [("f(x, y)", "f(x, F.one_hot(y, 3).float())")],
    "repeat": [("f(x, y)", "f(x, y.expand_as(x))")],
    "reduce": [("f(x).backward()", "f(x).mean().backward()")],
    "number": [
        ("nn.Linear(3, 4)", "nn.Linear(5, 4)"),
        ("torch.cat([a, b], 1)", "torch.cat([a, b], 2)"),
    ],
    "dim": [("torch.cat([a, b], dim=1)", "torch.cat([a, b], dim=2)")],
    "option": [("nn.LSTM(3, 4)", "nn.LSTM(3, 4, batch_first=True)")],
    "callee": [("F.nll_loss(x, y)", "F.cross_entropy(x, y)")],
    "other": [("f(x)\ng(x)", "g(x)"), ("f(x)", "y = 3\nf(x)")],
}


@pytest.mark.parametrize("kind", LOSSLESS)
def test_a_move_that_keeps_every_element_is_lossless(kind):
    for before, after in LOSSLESS[kind]:
        (move,) = moves_between(before, after)
        assert (move.kind, move.lossless) == (kind, True), after


@pytest.mark.parametrize("kind", CHOICES)
def test_what_chooses_drops_or_invents_is_not(kind):
    for before, after in CHOICES[kind]:
        (move,) = moves_between(before, after)
        assert (move.kind, move.lossless) == (kind, False), after


def test_every_difference_counts():
    found = moves_between("a = f(x)\nb = g(y, 3)", "a = f(x.squeeze(1))\nb = g(y[:2], 4)")
    assert [each.kind for each in found] == ["layout", "slice", "number"]


def test_no_difference_is_no_move():
    assert moves_between("f(x)  # why", "f( x )") == ()
