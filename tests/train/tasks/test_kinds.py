"""Rows become examples of their task, or tell why they cannot."""

import pytest

from wellshaped.records.phrase import UserError
from wellshaped.train.tasks.fit import default_columns
from wellshaped.train.tasks.kinds import KINDS, Columns, NotUsable
from wellshaped.train.tasks.vocabulary import EOS, Vocabulary, split


def example(kind: str, fields, **columns):
    return KINDS[kind].example(fields, default_columns(kind, **columns))


def test_targets_as_people_write_them() -> None:
    assert example("classify", {"text": "a", "label": 3}).target == "3"
    assert example("regress", {"text": "a", "target": " 1e3 "}).target == (1000.0,)
    for written in (["x", "y", "x"], '["x", "y"]', "x|y", "x, y", "x;y"):
        assert example("multilabel", {"text": "a", "labels": written}).target == ("x", "y")
    for nothing in (list[str](), "", " "):
        assert example("multilabel", {"text": "a", "labels": nothing}).target == ()
    for tokens, tags in ((["a", "b"], ["X", "Y"]), ("a b", "X Y")):
        found = example("tag", {"tokens": tokens, "tags": tags})
        assert (found.tokens, found.target) == (("a", "b"), ("X", "Y"))
    assert example("seq2seq", {"source": "é", "target": "a"}).tokens == ("c3", "a9")


@pytest.mark.parametrize(
    ("kind", "fields", "reason"),
    [
        ("classify", {"text": " ", "label": "x"}, "row_empty_text"),
        ("classify", {"text": 3, "label": "x"}, "row_not_text"),
        ("classify", {"text": "a", "label": ""}, "row_no_label"),
        ("classify", {"text": "a", "label": 0.5}, "row_no_label"),
        ("regress", {"text": "a", "target": "nan"}, "row_not_number"),
        ("regress", {"text": "a", "target": []}, "row_not_number"),
        ("multilabel", {"text": "a", "labels": {"x": 1}}, "row_not_list"),
        ("multilabel", {"text": "a", "labels": "[1"}, "row_not_list"),
        ("tag", {"tokens": ["a"], "tags": ["X", "Y"]}, "row_tag_count"),
        ("tag", {"tokens": [], "tags": []}, "row_empty_text"),
        ("seq2seq", {"source": "", "target": "a"}, "row_empty_text"),
    ],
)
def test_a_row_that_cannot_be_used_tells_why(kind: str, fields, reason: str) -> None:
    with pytest.raises(NotUsable) as caught:
        example(kind, fields)
    assert caught.value.reason.name == reason


def test_columns_must_hold_something() -> None:
    with pytest.raises(UserError, match="WS988"):
        Columns(targets=("y",))
    assert default_columns("regress", features=("a",)).inputs == ("a",)


def test_a_text_by_bytes_comes_back_exactly() -> None:
    words = Vocabulary.of([], "byte")
    numbers = words.numbers(split("«naïve» 数 \n", "byte"))
    assert words.text([*numbers, EOS]) == "«naïve» 数 \n"


def test_words_are_those_that_occur_and_the_rest_is_unknown() -> None:
    words = Vocabulary.of([split("b a b, it's", "word")], "word")
    assert words.tokens[3:] == ("b", "'", ",", "a", "it", "s")
    assert words.numbers(("b", "zebra")) == [3, 0]
    assert words.text([3, 6]) == "b a"
