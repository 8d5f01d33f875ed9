"""Changing a cell changes its source in the file, and not one other character."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.notebook.samples import cell, notebook
from wellshaped.notebook.read import parse_notebook
from wellshaped.notebook.splice import spliced, whole_texts


def changed(text, number, source):
    return spliced(parse_notebook(text.encode(), "n.ipynb"), {number: source})


@pytest.mark.parametrize("indent", [None, 0, 1, 4, "\t"])
@pytest.mark.parametrize("as_string", [False, True])
@pytest.mark.parametrize("ensure_ascii", [False, True])
@pytest.mark.parametrize("end", ["", "\n", "\r\n\r\n"])
def test_the_result_is_what_the_same_writer_would_write(indent, as_string, ensure_ascii, end):
    def stored(*sources):
        cells = [cell(each, as_string=as_string) for each in sources]
        options = {"indent": indent, "ensure_ascii": ensure_ascii, "end": end}
        return notebook(cell("# T", "markdown"), *cells, **options)

    before = stored('a = "é"\nb = f(a)\nc = 1', "d = 2\n")
    assert changed(before, 2, 'a = "é"\nb = f(a, "ü")\nc = 1') == stored(
        'a = "é"\nb = f(a, "ü")\nc = 1', "d = 2\n"
    )
    longer = 'a = "é"\nnew = 1\nnewer = 2\nb = f(a)\nc = 1'
    assert changed(before, 2, longer) == stored(longer, "d = 2\n")


def test_spellings_of_json_that_no_writer_makes_survive():
    text = (
        '{ "cells" :[{"source":["\\u0061 = f(x) # \\/ \\ud83d\\ude00\\n" , "y\\u003d1"],\r\n'
        '  "outputs": [1.0, 1e5, "\\u00e9"], "cell_type":"code"}],"nbformat":4}  '
    )
    source = json.loads(text)["cells"][0]["source"]
    new = "".join(source).replace("f(x)", "f(x[0])")
    assert changed(text, 1, new) == text.replace("f(x)", "f(x[0])")


def test_the_same_source_changes_nothing():
    text = notebook("a\n", "b")
    assert changed(text, 1, "a\n") == text


def test_cells_of_one_notebook_go_into_one_text(tmp_path):
    file, other = str(tmp_path / "n.ipynb"), str(tmp_path / "m.py")
    data = notebook("a", "b", "c").encode()
    sources = {f"{file}#cell1": "x", other: "y", f"{file}#cell3": "z"}
    assert whole_texts(sources, lambda _: data) == {other: "y", file: notebook("x", "b", "z")}


CHARACTERS = st.text(
    st.one_of(st.sampled_from('ab\n\r\t"\\/é\u2028\x0c😀{}[],:'), st.characters(codec="utf-8")),
    max_size=30,
)
STYLES = st.fixed_dictionaries(
    {"indent": st.sampled_from([None, 1, 2, "\t"]), "ensure_ascii": st.booleans()}
)


@settings(max_examples=300, derandomize=True, deadline=None)
@given(st.lists(CHARACTERS, min_size=1, max_size=4), CHARACTERS, STYLES, st.data())
def test_all_else_is_kept_and_the_source_is_the_new_one(sources, new, style, data):
    strings = data.draw(st.lists(st.booleans(), min_size=len(sources), max_size=len(sources)))
    cells = [cell(s, as_string=one) for s, one in zip(sources, strings, strict=True)]
    text = notebook("keep = 1", *cells, **style)
    number = data.draw(st.integers(2, len(cells) + 1))
    before = parse_notebook(text.encode(), "n.ipynb")
    found = spliced(before, {number: new})
    old = before.cell(number)
    assert old is not None
    start, end = old.place
    assert found.startswith(text[:start])
    assert found.endswith(text[end:])
    expected = json.loads(text)
    entry = expected["cells"][number - 1]
    entry["source"] = new if isinstance(entry["source"], str) else new.splitlines(keepends=True)
    after = json.loads(found)
    if new != old.source:
        assert after == expected
        back = spliced(parse_notebook(found.encode(), "n.ipynb"), {number: old.source})
        assert json.loads(back) == json.loads(text)
    else:
        assert found == text
