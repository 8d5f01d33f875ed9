"""The benchmark of recurrent layers compares equals."""

from benchmarks.recurrent import lengths_of, measured


def test_both_layers_give_the_same():
    row = measured(0.6, rows=4, size=8, rounds=1)
    assert row.apart < 1e-5
    assert 0 < row.real < 1
    assert min(row.masked, row.padded, row.packed) > 0


def test_lengths_spread_and_stay_within_bounds():
    assert set(lengths_of(8, 0.0).tolist()) == {32}
    lengths = lengths_of(500, 1.0)
    assert lengths.min() >= 1
    assert lengths.max() <= 256
    assert len(lengths.unique()) > 50
