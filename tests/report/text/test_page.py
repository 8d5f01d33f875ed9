"""The page of a code: filled to the width, examples as they are, in any language."""

import pytest

from wellshaped.locale.catalogue import Words
from wellshaped.locale.entries import english, stamp
from wellshaped.report.text.page import render, render_index


def japanese(page):
    labels = {"label.error": (stamp("error"), "エラー")}
    return Words("ja", {**labels, "WS101.page": (stamp(english("WS101", "page")), page)})


def test_lines_are_filled_and_examples_kept():
    text = render("WS101")
    assert text.startswith("WS101  missing-axis  (error)\n\n")
    assert all(len(line) <= 80 for line in text.splitlines())
    example = [line for line in english("WS101", "page").splitlines() if line.startswith("    ")]
    assert example
    assert [line for line in text.splitlines() if line.startswith("    ")] == example


def test_lines_of_japanese_are_joined_without_a_space():
    said = render("WS101", japanese("軸が足り\nない。\n次の `x`\nと、\n3 行\n\n    f(x)\n    g(x)"))
    heading, page = said.split("\n\n", 1)
    assert heading == "WS101  missing-axis  (エラー)"
    assert page == "軸が足りない。次の `x` と、3 行\n\n    f(x)\n    g(x)\n"


def test_the_list_has_the_first_sentence_of_each_page():
    words = japanese("軸が足りない。次の文。\n\n次の段落。")
    assert render_index(["WS101", "WS905"], words) == (
        "WS101  missing-axis  軸が足りない。\n"
        "WS905  not-reached   No run came to these lines: a branch not taken, a function not "
        "called, or what lies behind the line where the program stopped.\n"
    )


def test_there_is_no_page_without_a_code():
    with pytest.raises(KeyError):
        render("WS000")
