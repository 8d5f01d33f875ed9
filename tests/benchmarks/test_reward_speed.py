"""What the peers are given: the lengths of real preferences, and texts that share nothing."""

from benchmarks.reward_speed import (
    END,
    EQUAL,
    POSITIONS,
    Comparison,
    Measured,
    computed_tokens,
    pairs,
)


def test_real_pairs_share_their_prompt_and_end():
    given = pairs("real", 40)
    assert given == pairs("real", 40)
    assert all(text[-1] == END and len(text) <= POSITIONS for pair in given for text in pair)
    assert all(chosen[0] == rejected[0] for chosen, rejected in given)
    padded, laid = computed_tokens(given, 8)
    assert padded > 1.5
    assert laid < 0.8


def test_equal_pairs_have_nothing_to_gain():
    given = pairs("equal", 8)
    assert {len(text) for pair in given for text in pair} == {EQUAL}
    assert computed_tokens(given, 8) == (1, 1)


def test_a_beginning_is_counted_once_and_padding_in_full():
    given = [([1, 2, 3, 4], [1, 2, 5]), ([6, 7], [8, 9])]
    assert computed_tokens(given, 2) == (16 / 11, 9 / 11)


def test_the_ratio_shown_is_the_middle_one():
    peers = {"TRL": Measured(90.0, 2.0, 700.0), "wellshaped": Measured(30.0, 0.5, 300.0)}
    *rows, ratio, difference = Comparison(peers, [5.0, 2.0, 3.0], 1e-7).lines()
    assert [row.split()[:2] for row in rows] == [["TRL", "90"], ["wellshaped", "30"]]
    assert ratio.split() == ["ratio", "3.00", "(from", "2.00", "to", "5.00)"]
    assert difference.endswith("1.0e-07")
