"""Edits touch what they name and nothing else, whatever the file looks like."""

import os
import stat

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.notebook.samples import cell, notebook
from wellshaped.files.replace import Changed
from wellshaped.records.repair import Edit
from wellshaped.records.source import Span
from wellshaped.repair.apply import (
    edited_sources,
    read_source,
    stored,
    with_edits,
    write_sources,
)


def edit(line, column, end, text, file="x.py"):
    return Edit(file, Span(line, column, line, end), text)


def test_only_the_named_range_changes():
    text = "a = f(x)  # keep\n\tb = 2\n".replace("\tb", "b")
    assert with_edits(text, [edit(1, 6, 7, "x.squeeze(1)")]) == text.replace(
        "f(x)", "f(x.squeeze(1))"
    )


def test_two_edits_on_one_line_and_the_same_edit_twice():
    both = [edit(1, 2, 3, "x[0]"), edit(1, 5, 6, "y[0]"), edit(1, 2, 3, "x[0]")]
    assert with_edits("f(x, y)\n", both) == "f(x[0], y[0])\n"


@pytest.mark.parametrize(
    "edits",
    [[edit(1, 0, 4, "a"), edit(1, 2, 6, "b")], [edit(1, 0, 7, "f(")]],
)
def test_overlap_and_broken_syntax_are_refused(edits):
    assert with_edits("f(x, y)\n", edits) is None


@pytest.mark.parametrize(
    "data",
    [
        b"x = f(y)\r\nz = 1\r\n",
        b"\xef\xbb\xbfx = f(y)\nz = 1",
        "# -*- coding: latin-1 -*-\nx = f('é')\n".encode("latin-1"),
        b"if 1:\n\tx = f(y)  # tab\n",
    ],
)
def test_encoding_line_ends_and_marks_survive(data, tmp_path):
    file = tmp_path / "program.py"
    file.write_bytes(data)
    before = read_source(str(file))
    write_sources([(before, before.text.replace("f(", "g("))])
    assert file.read_bytes() == data.replace(b"f(", b"g(")


def test_permissions_links_and_backup(tmp_path):
    real, link = tmp_path / "real.py", tmp_path / "link.py"
    real.write_text("x = 1\n")
    real.chmod(0o750)
    link.symlink_to(real)
    write_sources([(read_source(str(link)), "x = 2\n")], backup=True)
    assert link.is_symlink()
    assert real.read_text() == "x = 2\n"
    assert stat.S_IMODE(os.stat(real).st_mode) == 0o750
    assert (tmp_path / "real.py.bak").read_text() == "x = 1\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.py", "real.py", "real.py.bak"]


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path):
    file = tmp_path / "program.py"
    file.write_text("x = 1\n")
    before = read_source(str(file))
    file.write_text("x = 3\n")
    with pytest.raises(Changed):
        write_sources([(before, "x = 2\n")])
    assert file.read_text() == "x = 3\n"


def test_edits_of_several_files(tmp_path):
    one, two = tmp_path / "one.py", tmp_path / "two.py"
    one.write_text("a\n")
    two.write_text("b\n")
    found = edited_sources([edit(1, 0, 1, "c", str(one)), edit(1, 0, 1, "d", str(two))], {})
    assert found == {str(one): "c\n", str(two): "d\n"}


def test_an_edit_of_a_cell_goes_into_its_notebook(tmp_path):
    file = tmp_path / "n.ipynb"
    rows = "!pip install a\n%time b = f(x)\nc?"
    file.write_text(notebook(cell("# T", "markdown"), rows, "d"), encoding="utf-8")
    name = f"{file}#cell2"
    assert read_source(name).text == rows
    found = edited_sources([edit(2, 12, 13, "x[0]", name)], {})
    assert found == {name: rows.replace("f(x)", "f(x[0])")}
    ((before, text),) = stored(found)
    write_sources([(before, text)])
    assert file.read_text(encoding="utf-8") == notebook(
        cell("# T", "markdown"), rows.replace("f(x)", "f(x[0])"), "d"
    )


def test_a_notebook_saved_meanwhile_is_left_alone(tmp_path):
    file = tmp_path / "n.ipynb"
    file.write_text(notebook("f(x)", "d"), encoding="utf-8")
    begun = read_source(str(file))
    saved = notebook("new", "f(x)", "d")
    file.write_text(saved, encoding="utf-8")
    ((before, text),) = stored({f"{file}#cell1": "f(y)"}, lambda _: begun)
    with pytest.raises(Changed):
        write_sources([(before, text)])
    assert file.read_text(encoding="utf-8") == saved


def test_an_edit_that_breaks_a_cell_is_refused(tmp_path):
    file = tmp_path / "n.ipynb"
    file.write_text(notebook("!ls\nf(x)"), encoding="utf-8")
    assert edited_sources([edit(2, 2, 3, ")", f"{file}#cell1")], {}) is None


def test_a_cell_that_is_gone_is_not_looked_for_elsewhere(tmp_path):
    file = tmp_path / "n.ipynb"
    file.write_text(notebook("x"), encoding="utf-8")
    with pytest.raises(Changed):
        read_source(f"{file}#cell2")


@pytest.mark.parametrize("mark", ["\x0c", "\u2028", "\x1e"])
def test_only_what_ends_a_line_of_python_ends_a_line(mark):
    text = f"s = 'a{mark}b'\nf(x)\n"
    assert with_edits(text, [edit(2, 2, 3, "y")]) == f"s = 'a{mark}b'\nf(y)\n"


NAMES = st.sampled_from(["alpha", "b", "gamma", "délta"])


@settings(max_examples=60, derandomize=True, deadline=None)
@given(st.lists(NAMES, min_size=1, max_size=6), st.data())
def test_random_edits_change_their_word_only(words, data):
    text = "".join(f"{word} = 0  # {word}\n" for word in words)
    line = data.draw(st.integers(1, len(words)))
    word = words[line - 1]
    result = with_edits(text, [edit(line, 0, len(word), "new")])
    expected = text.splitlines()
    expected[line - 1] = f"new = 0  # {word}"
    assert result == "\n".join(expected) + "\n"
