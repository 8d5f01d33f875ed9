"""Code cells are found where they stand; what is no notebook of Python is said so."""

import json

import pytest

from tests.notebook.samples import cell, notebook
from wellshaped.notebook.read import NotReadable, parse_notebook, read_notebook
from wellshaped.records.source import cell_file, cell_of


def test_code_cells_are_numbered_among_all_cells():
    text = notebook(
        cell("# Title", "markdown"),
        "x = 1\ny = 2",
        cell("%%% raw", "raw"),
        cell("z = 3\n", as_string=True, tags=["skip-execution"]),
    )
    found = parse_notebook(text.encode(), "/w/train.ipynb").cells
    assert [each.number for each in found] == [2, 4]
    assert [each.source for each in found] == ["x = 1\ny = 2", "z = 3\n"]
    assert found[1].file == "/w/train.ipynb#cell4"
    assert found[1].tags == ("skip-execution",)
    assert [json.loads(text[slice(*each.place)]) for each in found] == [
        ["x = 1\n", "y = 2"],
        "z = 3\n",
    ]


def test_of_a_key_given_twice_the_last_counts_as_in_json():
    text = '{"nbformat": 4, "cells": [{"cell_type": "code", "source": "a", "source": "b"}]}'
    (found,) = parse_notebook(text.encode(), "n.ipynb").cells
    assert (found.source, text[slice(*found.place)]) == ("b", '"b"')


def test_a_byte_order_mark_is_no_part_of_the_text():
    assert parse_notebook(b"\xef\xbb\xbf" + notebook("x").encode(), "n.ipynb").text.startswith("{")


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ('{"cells": [', "WS950", "broken_json"),
        ("[]", "WS950", "no_nbformat"),
        ('{"nbformat": 3, "worksheets": []}', "WS950", "other_nbformat"),
        ('{"nbformat": 4}', "WS950", "no_cells"),
        (notebook(), "WS951", "no_code_cells"),
        (notebook(cell("# x", "markdown"), " \n"), "WS951", "no_code_cells"),
        (notebook("1", metadata={"language_info": {"name": "R"}}), "WS952", "other_language"),
        (notebook("1", metadata={"kernelspec": {"language": "julia"}}), "WS952", "other_language"),
    ],
)
def test_what_is_no_notebook_of_python_is_refused(text, code, said):
    with pytest.raises(NotReadable) as caught:
        parse_notebook(text.encode(), "n.ipynb")
    assert (caught.value.code, caught.value.message.name) == (code, said)


def test_text_that_is_not_utf8_and_a_file_that_is_not_there(tmp_path):
    with pytest.raises(NotReadable, match=r"WS950: .* is not UTF-8 text"):
        parse_notebook(b'{"a": "\xe9"}', "n.ipynb")
    with pytest.raises(NotReadable, match="no such file") as caught:
        read_notebook(str(tmp_path / "n.ipynb"))
    assert caught.value.code == "WS930"


def test_the_file_name_of_a_cell_names_it():
    assert cell_of(cell_file("/a#b/n.ipynb", 12)) == ("/a#b/n.ipynb", 12)
    for other in ("n.ipynb", "n.py#cell1", "n.ipynb#cell", "n.ipynb#cell0", "n.ipynb#cell1x"):
        assert cell_of(other) is None
