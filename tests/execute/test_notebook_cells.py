"""The cells of a notebook run in order, in one namespace, each with a file name of its own."""

import linecache
import sys

import pytest

from tests.notebook.samples import cell, notebook
from wellshaped.execute.notebook_cells import remember, run_cells
from wellshaped.execute.program import compile_source
from wellshaped.notebook.read import parse_notebook
from wellshaped.source.code import source_of


def plainly(function, *args):
    return function(*args)


def run(*cells):
    found = parse_notebook(notebook(*cells).encode(), "/w/n.ipynb").cells
    names = {"__name__": "__main__"}
    run_cells(found, names, call=plainly, compiled=compile_source)
    return names


def test_later_cells_see_the_names_of_earlier_ones():
    assert run("x = 1", cell("# no code", "markdown"), "y = x + 1\ny")["y"] == 2


def test_top_level_await_and_one_loop_for_all_cells():
    names = run(
        "import asyncio\nfirst = await asyncio.sleep(0, asyncio.get_running_loop())",
        "second = await asyncio.sleep(0, asyncio.get_running_loop())",
    )
    assert names["first"] is names["second"]
    assert names["first"].is_closed()


def test_future_features_hold_in_later_cells():
    names = run("from __future__ import annotations", "def f(x: no_such_name): ...")
    assert names["f"].__annotations__ == {"x": "no_such_name"}


def test_the_shell_and_the_display_are_harmless(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    names = run(
        "get_ipython().system('exit 1')\nget_ipython().config.x.y = 3\nold = str(get_ipython())",
        "display(1, 'a')\n%cd nowhere\n%cd data\nimport os\nhere = os.path.basename(os.getcwd())",
        "%%capture out\nprint('x')",
        "out.show()\nfiles = !ls",
    )
    assert (names["here"], names["files"]) == ("data", [])
    assert "google.colab" not in names["old"]
    assert capsys.readouterr().out == "1\n'a'\nx\n"


def test_modules_of_ipython_can_be_imported_without_it(monkeypatch):
    for name in [each for each in sys.modules if each.partition(".")[0] == "IPython"]:
        monkeypatch.delitem(sys.modules, name)
    before = [*sys.meta_path]
    try:
        run(
            "from IPython import get_ipython\nfrom IPython.display import HTML, clear_output\n"
            "import IPython\nget_ipython().run_line_magic('matplotlib', 'inline')\n"
            "clear_output(wait=True)\nIPython.display.display(HTML('<b>'))"
        )
    finally:
        for name in [each for each in sys.modules if each.partition(".")[0] == "IPython"]:
            del sys.modules[name]
    assert sys.meta_path == before


def test_tags_skip_a_cell_or_let_it_raise():
    names = run(
        cell("x = 1", tags=["skip-execution"]),
        cell("y = 1\n1 / 0", tags=["raises-exception"]),
        "z = 1",
    )
    assert ("x" in names, "y" in names, "z" in names) == (False, True, True)


def test_an_exception_names_the_cell_and_the_line_and_its_source_is_found(monkeypatch):
    monkeypatch.setattr(sys, "excepthook", sys.__excepthook__)
    cells = parse_notebook(
        notebook(cell("# T", "markdown"), "!ls\nx = 1\n1 / 0").encode(), "/w/n.ipynb"
    ).cells
    remember(cells)
    with pytest.raises(ZeroDivisionError) as caught:
        run_cells(cells, {}, call=plainly, compiled=compile_source)
    last = caught.traceback[-1]
    assert (str(last.frame.code.raw.co_filename), last.lineno + 1) == ("/w/n.ipynb#cell2", 3)
    assert linecache.getline("/w/n.ipynb#cell2", 1) == "!ls\n"
    source = source_of("/w/n.ipynb#cell2")
    assert source is not None
    assert source.text(source.tree.body[-1]) == "1 / 0"
