"""IPython's own lines give way to Python that keeps every other line and column in place."""

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wellshaped.notebook.magics import as_python, translated


def skipped(source):
    return [(each.line, each.text) for each in translated(source).skipped]


@pytest.mark.parametrize(
    ("source", "python"),
    [
        ("x = 1 % 2\n", "x = 1 % 2\n"),
        ("%matplotlib inline\nx = 1", "# %matplotlib inline\nx = 1"),
        ("if x:\n    %matplotlib inline\n", "if x:\n    pass  # %matplotlib inline\n"),
        ("?model\nx", "# ?model\nx"),
        ("model.forward??\r\nx", "# model.forward??\r\nx"),
        ("%time y = f(x)", "if 1: y = f(x)"),
        ("%timeit -n 10 -r3 f(x)\n", "if 1:             f(x)\n"),
        ("%cd -q 'my data'\n", "get_ipython().run_line_magic('cd', 'my data')\n"),
        ("%%time\nx = 1\n", "# %%time\nx = 1\n"),
        ("\n%%capture out\nx = 1\n", "\nout = get_ipython()  # %%capture out\nx = 1\n"),
        ("%%html\n<b>\n", "# %%html\n# <b>\n"),
    ],
)
def test_magics_that_lose_nothing(source, python):
    assert (as_python(source), skipped(source)) == (python, [])


@pytest.mark.parametrize(
    ("source", "python", "lost"),
    [
        ("!ls\nx", "# !ls\nx", [(1, "!ls")]),
        ("pip install a\nx", "# pip install a\nx", [(1, "pip install a")]),
        ("for a in b:\n\t!ls {a}\n", "for a in b:\n\tpass  # !ls {a}\n", [(2, "!ls {a}")]),
        ("# note \\\n!ls\n", "# note \\\n# !ls\n", [(2, "!ls")]),
        ("!ls \\\n  -l\nx", "# !ls \\\n#   -l\nx", [(1, "!ls \\")]),
        ("files = !ls", "files = []  # files = !ls", [(1, "files = !ls")]),
        ("t = %timeit -o f()", "t = None  # t = %timeit -o f()", [(1, "t = %timeit -o f()")]),
        ("%run other.py", "# %run other.py", [(1, "%run other.py")]),
        ("%cd {folder}", "# %cd {folder}", [(1, "%cd {folder}")]),
        ("%time for x in y: f(x)", "# %time for x in y: f(x)", [(1, "%time for x in y: f(x)")]),
        ("%%bash\necho 'a\n", "# %%bash\n# echo 'a\n", [(1, "%%bash")]),
        ("%%time\n!ls\nx", "# %%time\n# !ls\nx", [(2, "!ls")]),
    ],
)
def test_lines_that_are_left_out_are_told(source, python, lost):
    assert (as_python(source), skipped(source)) == (python, lost)


def test_what_looks_like_a_magic_inside_a_statement_is_none():
    source = "x = (a\n  %b\n)\ns = '''\n!ls\n'''\nt = 'it\\\n%s'  # '''\nu = a \\\n  % b\n!ls\n"
    assert as_python(source) == source.replace("\n!ls\n'''", "\n\x00").replace(
        "\n!ls\n", "\n# !ls\n"
    ).replace("\n\x00", "\n!ls\n'''")
    assert skipped(source) == [(11, "!ls")]


def test_broken_python_stays_broken():
    assert as_python("x = = 1\n") == "x = = 1\n"


PYTHON = st.sampled_from(
    [
        "x = f(y)\n",
        "if a:\n    b = '''\n!no\n%no'''\n",
        "c = [\n    1 %\n    2,\n]\n",
        "# it's a comment (\n",
        's = "(" + \'"""\' # "\n',
    ]
)
MAGIC = st.sampled_from(["%matplotlib inline\n", "!ls 'a (\n", "?x\n", "%env A=[\n", "y?\n"])


@settings(max_examples=150, derandomize=True, deadline=None)
@given(st.lists(st.tuples(st.booleans(), PYTHON, MAGIC), min_size=1, max_size=8))
def test_every_line_of_python_keeps_its_place(parts):
    rows = [magic if is_magic else python for is_magic, python, magic in parts]
    found = as_python("".join(rows))
    ast.parse(found)
    kept = "".join(
        f"# {row}" if is_magic else row for (is_magic, _, _), row in zip(parts, rows, strict=True)
    )
    assert found == kept
