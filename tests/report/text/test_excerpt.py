"""Excerpts: the marks stay under what they mark, whatever the line looks like."""

from textwrap import dedent

import pytest

from tests.report.samples import marks_of
from wellshaped.report.document import Excerpt, Mark, SourceLine
from wellshaped.report.text.excerpt import excerpt_lines
from wellshaped.report.text.paint import paint


def drawn(excerpt: Excerpt, width: int = 80) -> str:
    lines = excerpt_lines(excerpt, width=width, edge=width - 2)
    return "\n".join(paint(line, color=False, links=False) for line in lines)


def under(text: str, *parts: tuple[str, str, bool], width: int = 80) -> str:
    """What is drawn of one source line, without the location."""
    line = SourceLine(7, text, marks_of(text, *parts))
    return "\n".join(drawn(Excerpt("a.py", 7, lines=(line,)), width).split("\n")[2:])


def block(text: str) -> str:
    return dedent(text).strip("\n").replace("\n", "\n  ").join(("  ", ""))


def test_one_label_stands_beside_its_mark():
    assert under("loss = f(x)", ("x", "(3,)", True)) == block("""
        7 | loss = f(x)
          |          ^ (3,)
    """)


def test_short_labels_stand_under_their_marks():
    parts = (("aa", "(1,)", False), ("bbbbb", "(2,)", True), ("cccc", "(3,)", False))
    assert under("f(aa  , bbbbb, cccc)", *parts) == block("""
        7 | f(aa  , bbbbb, cccc)
          |   --    ^^^^^  ----
          |   (1,)  (2,)   (3,)
    """)


def test_colliding_labels_go_down_with_connectors():
    parts = (("aa", "(32, 9, 1)", False), ("bb", "(32, 1) int64", True), ("cc", "(9,)", False))
    assert under("f(aa, bb, cc)", *parts) == block("""
        7 | f(aa, bb, cc)
          |   --  ^^  -- (9,)
          |   |   (32, 1) int64
          |   (32, 9, 1)
    """)


def test_a_mark_inside_another_is_drawn_over_it():
    parts = (("aa", "(32, 10)", False), ("f(aa)", "(32,)", True))
    assert under("loss = f(aa)", *parts) == block("""
        7 | loss = f(aa)
          |        ^^--^ (32,)
          |          (32, 10)
    """)


def test_marks_on_the_same_characters_both_keep_their_labels():
    parts = (("aa", "first", False), ("aa", "second", True), ("f", "third", False))
    assert under("f(aa)", *parts) == block("""
        7 | f(aa)
          | - ^^ second
          | | first
          | third
    """)


def test_wide_identifiers_are_underlined_by_cells():
    parts = (("予測", "(32, 10)", False), ("正解", "(32, 1)", True))
    assert under("損失 = 交差(予測, 正解)", *parts) == block("""
        7 | 損失 = 交差(予測, 正解)
          |             ----  ^^^^ (32, 1)
          |             (32, 10)
    """)


def test_tabs_are_expanded_under_marks_too():
    assert under("\tx =\tf(a,\ty1)", ("y1", "(32, 1)", True)) == block("""
        7 |     x = f(a,    y1)
          |                 ^^ (32, 1)
    """)


def test_tail_is_cut_when_the_marks_are_at_the_start():
    assert under("f(a) + " * 9, ("a", "(3,)", True), width=40) == block("""
        7 | f(a) + f(a) + f(a) + f(a) + f(a) …
          |   ^ (3,)
    """)


def test_head_is_cut_to_leave_room_for_labels():
    parts = (("pred", "(32, 10)", False), ("target", "(32, 1) int64", True))
    assert under("x = " + "abc + " * 9 + "pred - target", *parts, width=40) == block("""
        7 | …abc + abc + pred - target
          |              ----   ^^^^^^
          |              |      (32, 1) int64
          |              (32, 10)
    """)


def test_middle_is_cut_when_marks_are_far_apart():
    middle = "m" * 60
    parts = (("aa", "(1,)", False), (middle, "", False), ("zz", "(2,)", True))
    assert under(f"f(aa, {middle}, zz)", *parts, width=40) == block("""
        7 | f(aa, mmmmmmmm…mmmmmmm, zz)
          |   --  ----------------  ^^
          |   (1,)                  (2,)
    """)


def test_marks_that_cannot_all_fit_keep_the_primary_one():
    text = "".join(f"v{index:02} " for index in range(60))
    parts = [(f"v{index:02}", "", index == 40) for index in range(60)]
    assert "v40" in under(text, *parts, width=40)


@pytest.mark.parametrize(
    ("mark", "drawing"),
    [
        (Mark(-3, -1), "-"),
        (Mark(-3, 2), "--"),
        (Mark(2, 60), "  --"),
        (Mark(50, 60), "    -"),
        (Mark(3, 2), "   -"),
        (Mark(4, 4, "(3,)"), "    - (3,)"),
    ],
)
def test_marks_outside_the_text_are_moved_to_its_edge(mark, drawing):
    line = SourceLine(7, "loss", (mark,))
    assert drawn(Excerpt("a.py", 7, lines=(line,))).split("\n")[3:] == [f"    | {drawing}"]


def test_lines_left_out_are_shown_as_gaps():
    lines = (
        SourceLine(8, "f(\n"),
        SourceLine(9, "  aa,", (Mark(2, 4, "(3,)"),)),
        SourceLine(99, ""),
        SourceLine(100, "  bb)", (Mark(2, 4, "(3, 1)", primary=True),)),
    )
    assert drawn(Excerpt("a.py", 8, lines=lines)) == block("""
        a.py:8
            |
          8 | f(
          9 |   aa,
            |   -- (3,)
        ...
         99 |
        100 |   bb)
            |   ^^ (3, 1)
    """)


def test_source_cannot_move_the_cursor():
    text = "x\x1b[31m\r = \u202ef(y)"
    assert under(text, ("y", "(3\x07,)", True)) == block(r"""
        7 | x\x1b[31m\r = \u202ef(y)
          |                       ^ (3\x07,)
    """)
    hostile = drawn(Excerpt("a\x1b]0;x\x07.py", 7, inside="in f\n", note="(\x1bc)"))
    assert hostile.isprintable()


def test_location_without_function_or_source():
    assert drawn(Excerpt("a.py", 7)) == "  a.py:7"


def test_long_location_keeps_file_name_and_line():
    place = Excerpt("/a/long/path/" * 5 + "train.py", 12, inside="in " + "f" * 40, note="(a note)")
    assert drawn(place, width=50) == block("""
        …th/train.py:12  in fffffffffffffffffffffffff…
                                              (a note)
    """)
