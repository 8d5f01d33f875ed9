"""Wrapping: lines end where a reader can bear it."""

import pytest

from wellshaped.report.text.wrap import wrap, wrap_code


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("one two three", ["one two", "three"]),
        ("one\n two\tthree", ["one two", "three"]),
        ("see `a b c d` now", ["see", "`a b c d`", "now"]),
        ("see (`a b`, c) now", ["see", "(`a b`, c)", "now"]),
        ("it is (B, 1, 2).", ["it is", "(B, 1, 2)."]),
        ("table 32 x 1 big", ["table", "32 x 1 big"]),
        ("only at B = 1, 2", ["only at", "B = 1, 2"]),
        ("a lone ` stays", ["a lone `", "stays"]),
        ("", []),
    ],
)
def test_text_breaks_between_units(text, lines):
    assert wrap(text, width=10) == lines


def test_code_wider_than_a_line_breaks_at_its_spaces_then_anywhere():
    assert wrap("`f(aaa, bbb, cccccccccccc)`", width=10) == ["`f(aaa,", "bbb,", "c" * 10, "cc)`"]


def test_text_without_spaces_breaks_but_not_before_a_full_stop():
    assert wrap("これは損失「平均", width=10) == ["これは損失", "「平均"]
    assert wrap("これは損「平均」", width=10) == ["これは損", "「平均」"]
    assert wrap("損失関数の。平均", width=10) == ["損失関数", "の。平均"]
    assert wrap("損失は`a b`「平均」", width=10) == ["損失は", "`a b`「平", "均」"]


@pytest.mark.parametrize("last", "、。，：）」ーゃュッ々…")  # noqa: RUF001
def test_no_line_starts_with_what_belongs_to_the_end_of_another(last):
    for before in range(1, 12):
        for line in wrap("損" * before + last + "失" * 5, width=10)[1:]:
            assert not line.startswith(last)


def test_words_in_katakana_stay_whole():
    assert wrap("形状をブロードキャスト", width=16) == ["形状を", "ブロードキャスト"]


def test_mixed_text_keeps_code_and_words_whole():
    text = "`pred.squeeze(1)` の形状は (64, 1) ですが、`target` は (64,) です。"
    assert wrap(text, width=24) == [
        "`pred.squeeze(1)` の形状",
        "は (64, 1) ですが、",
        "`target` は (64,) です。",
    ]
    assert wrap("形状broadcastの結果", width=10) == ["形状", "broadcast", "の結果"]


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("    loss = criterion(pred, target)", ["    loss =", "criterion(pred,", "target)"]),
        ("f(a,  b) or      g(c)", ["f(a,  b) or", "     g(c)"]),
        ("損失" + "x" * 20, ["損失" + "x" * 12, "x" * 8]),
        (" " * 20 + "f(a)", [" " * 16, "    f(a)"]),
        ("f(" + "x" * 14 + " y", ["f(" + "x" * 14, "y"]),
        ("", [""]),
    ],
)
def test_code_breaks_at_spaces_if_it_can(code, lines):
    assert wrap_code(code, width=16) == lines
