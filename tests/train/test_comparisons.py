"""Comparisons are kept flat and come out as they went in."""

from wellshaped.train.data.comparisons import Comparison, Comparisons, common_prefix

THREE = [
    Comparison(((1, 2, 3), (1, 4)), (0.0,)),
    Comparison(((5,), (6, 7, 8, 9), (6,)), (0.5, 2.0)),
    Comparison(((1,), (2,)), (0.0,), weight=3.0),
]


def test_they_come_out_as_they_went_in():
    kept = Comparisons(THREE)
    assert list(kept) == THREE
    assert [kept[n] for n in (-1, 0)] == [THREE[2], THREE[0]]
    assert list(kept[1:]) == THREE[1:]


def test_sizes():
    kept = Comparisons(THREE)
    assert [kept.lengths(n) for n in range(3)] == [[3, 2], [1, 4, 1], [1, 1]]
    assert kept.longest() == [3, 4, 1]
    assert (len(kept), kept.pairs, kept.tokens) == (3, 4, 13)
    assert (len(Comparisons()), Comparisons().pairs) == (0, 0)


def test_common_prefix():
    assert common_prefix([1, 2, 3], [1, 2, 4]) == 2
    assert common_prefix([1, 2], [1, 2, 3]) == 2
    assert common_prefix([], [1]) == 0
