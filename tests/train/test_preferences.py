"""What a row of preference data may hold, and what is wrong with one that holds no preference."""

import pytest

from wellshaped.train.data.preferences import RowFault, preference_of

CHAT = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]
OTHER = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "go away"}]


def read(**fields):
    return preference_of(fields)


def fault(**fields):
    with pytest.raises(RowFault) as caught:
        preference_of(fields)
    return caught.value.name, caught.value.facts


def test_texts_conversations_and_ids_are_told_apart_by_type():
    assert read(prompt="a", chosen="b", rejected="c").kind == "text"
    assert read(chosen=CHAT, rejected=OTHER).kind == "messages"
    assert read(chosen=[1, 2], rejected=[1, 3]).kind == "ids"
    assert read(chosen_ids=[1, 2], rejected_ids=[1, 3], prompt_ids=[7]).prompt == [7]


def test_several_rejected_answers():
    assert read(chosen="a", rejected=["b", "c"]).rejected == ("b", "c")
    assert read(chosen=CHAT, rejected=[OTHER, OTHER[:1]]).rejected == (OTHER, OTHER[:1])
    assert read(chosen=[1], rejected=[[2], [3]]).rejected == ([2], [3])


def test_margin_and_weight_are_optional_numbers_or_cells_with_numbers():
    plain = read(chosen="a", rejected="b")
    assert (plain.margins, plain.weight) == ((0.0,), 1.0)
    cells = read(chosen="a", rejected="b", margin="0.5", weight="2")
    assert (cells.margins, cells.weight) == ((0.5,), 2.0)
    empty = read(chosen="a", rejected="b", margin="", weight=None)
    assert (empty.margins, empty.weight) == ((0.0,), 1.0)
    several = read(chosen="a", rejected=["b", "c"], margin=[1, 2])
    assert several.margins == (1.0, 2.0)
    assert read(chosen="a", rejected=["b", "c"], margin=1).margins == (1.0, 1.0)


@pytest.mark.parametrize("side", ["chosen", "rejected"])
def test_empty_answers(side):
    for empty in ("", "  \n"):
        assert fault(**{"chosen": "a", "rejected": "b", side: empty}) == (
            "row_empty_answer",
            {"column": side},
        )
    silent = [CHAT[0], {"role": "assistant", "content": " "}]
    assert fault(**{"chosen": CHAT, "rejected": OTHER, side: silent})[0] == "row_empty_answer"


def test_equal_pairs():
    assert fault(chosen="a", rejected="a ")[0] == "row_equal_pair"
    assert fault(chosen="a", rejected=["b", "a"])[0] == "row_equal_pair"
    assert fault(chosen=CHAT, rejected=list(CHAT))[0] == "row_equal_pair"
    assert fault(chosen=[1, 2], rejected=[1, 2])[0] == "row_equal_pair"


def test_missing_columns():
    assert fault(prompt="a", chosen="b") == ("row_lacks", {"column": "rejected"})
    assert fault(chosen=None, rejected="b") == ("row_lacks", {"column": "chosen"})


def test_wrong_types():
    assert fault(chosen=3, rejected="b") == ("row_wrong_type", {"column": "chosen", "type": "int"})
    assert fault(chosen="a", rejected=4)[0] == "row_wrong_type"
    assert fault(chosen=[1, "a"], rejected=[1])[1]["type"] == "list[int | str]"
    assert fault(chosen=[True], rejected=[1])[0] == "row_wrong_type"
    assert fault(chosen=[{"role": "user"}], rejected=CHAT)[0] == "row_wrong_type"


def test_sides_of_different_kinds():
    assert fault(chosen="a", rejected=CHAT)[0] == "row_other_type"
    assert fault(chosen="a", rejected="b", prompt=[1]) == (
        "row_other_type",
        {"column": "prompt", "type": "list[int]"},
    )


def test_margin_and_weight_that_are_no_numbers():
    assert fault(chosen="a", rejected="b", margin="much")[1]["value"] == "'much'"
    assert fault(chosen="a", rejected="b", weight=float("nan"))[0] == "row_no_number"
    assert fault(chosen="a", rejected="b", weight=-1)[0] == "row_negative_weight"
    assert fault(chosen="a", rejected=["b", "c"], margin=[1])[0] == "row_margin_count"
