"""Repairs as a patch that `git apply` takes."""

import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from tests.report.reports import HOSTILE_FILE, REPORT, SOURCES, column, proposal
from wellshaped.records.check import Checked, Report, Swept
from wellshaped.records.repair import Edit
from wellshaped.records.source import Span
from wellshaped.report.formats import patch


@pytest.fixture(autouse=True)
def _in_tmp(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def git_apply(root: Path, diff: str) -> None:
    env = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    data = diff.encode(errors="surrogateescape")
    for command in (["init", "-q", str(root)], ["apply", "--check", "-"], ["apply", "-"]):
        subprocess.run(["git", *command], input=data, env=env, check=True)


FAR = "".join(f"x{number}\n" for number in range(400))


@pytest.mark.parametrize(
    ("name", "before", "edits", "after"),
    [
        ("train.py", "a\nb\n", [(2, 0, 2, 1, "c")], "a\nc\n"),
        ("pkg/in/t.py", "a\nb", [(2, 1, 2, 1, ".c")], "a\nb.c"),
        ("t.py", "a", [(1, 0, 1, 1, "b\nc\n")], "b\nc\n"),
        ("t.py", "a\r\nb\r\n", [(2, 0, 2, 0, "x\ny\n")], "a\r\nx\r\ny\r\nb\r\n"),
        ("t.py", "a\rb\nc\n", [(2, 0, 2, 1, "z"), (3, 0, 3, 1, "w")], "a\rz\nw\n"),
        ("t.py", "\ufeffab\n", [(1, 1, 1, 2, "c")], "\ufeffac\n"),
        (
            "t.py",
            "é\u2028\x0c = 損\n\tb\udce9\n",
            [(1, 6, 1, 7, "失")],
            "é\u2028\x0c = 失\n\tb\udce9\n",
        ),
        ("t.py", "a\nb\nc\nd\n", [(2, 0, 4, 0, "")], "a\nd\n"),
        ("t.py", "ab\n", [(1, 1, 1, 1, "("), (1, 1, 1, 2, "c"), (1, 1, 1, 1, "[")], "a([c\n"),
        ("t.py", FAR, [(3, 0, 3, 2, "y"), (390, 0, 390, 1, "y")], None),
        ("my file.py", "a\n", [(1, 0, 1, 1, "b")], "b\n"),
        ("a:b, 損.py", "a\n", [(1, 0, 1, 1, "b")], "b\n"),
        (HOSTILE_FILE.replace("/", ""), "a\n", [(1, 0, 1, 1, "b")], "b\n"),
    ],
)
@pytest.mark.parametrize("below", ["", "work/here"], ids=["top", "subfolder"])
def test_patch_applies(tmp_path, monkeypatch, name, before, edits, after, below):
    folder = tmp_path / below
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(before.encode(errors="surrogateescape"))
    monkeypatch.chdir(folder)
    given = [proposal(*(Edit(str(file), Span(*each[:4]), each[4]) for each in edits))]
    git_apply(tmp_path, patch.render(given, {str(file): before}))
    wanted = after or FAR.replace("x2\n", "y\n").replace("x389\n", "y389\n")
    assert file.read_bytes().decode(errors="surrogateescape") == wanted


def test_patch_of_several_files_applies(tmp_path):
    for name, text in SOURCES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    git_apply(tmp_path, patch.render(REPORT, SOURCES))
    assert (tmp_path / "train.py").read_text().endswith("(logits, labels.squeeze(1))\n")
    assert (tmp_path / "fit.py").read_text() == "a\nb\nloss = (\n    pred.squeeze(1){}\n)\n"
    assert (tmp_path / "model/head.py").read_text() == "def f():\n        keep()"


def test_patch_leaves_out_what_it_cannot_do():
    def edit(text, *span, file="t.py"):
        return proposal(Edit(file, Span(*span), text))

    kept = edit("X", 1, 0, 1, 3)
    sources = {"t.py": "abc\nd\n", "/elsewhere/u.py": "abc\n"}
    alone = patch.render([kept], sources)
    left_out = [
        edit("Y", 1, 2, 1, 4),  # behind the end of its line
        edit("Y", 9, 0, 9, 0),  # behind the end of the file
        edit("Y", 1, 2, 2, 0),  # overlaps
        edit("Y", 1, 1, 1, 1),  # inserts within
        edit("Y", 2, 1, 2, 0),  # ends before it starts
        edit("Y", 1, 0, 1, 1, file="/elsewhere/u.py"),
        edit("Y", 1, 0, 1, 1, file="<stdin>"),
        kept,  # the same again
    ]
    assert alone == "--- a/t.py\n+++ b/t.py\n@@ -1,2 +1,2 @@\n-abc\n+X\n d\n"
    for other in left_out:
        assert patch.render([kept, other], sources) == alone
    assert patch.render([edit("abc", 1, 0, 1, 3)], sources) == ""
    twice = edit("Y", 1, 1, 1, 1)
    assert patch.render([twice, twice], sources) == patch.render([twice], sources)


def test_patch_ends_a_name_with_a_space_as_git_does():
    change = proposal(Edit("my file.py", Span(1, 0, 1, 1), "b"))
    assert patch.render([change], {"my file.py": "a\n"}).startswith("--- a/my file.py\t\n")


def test_patch_of_a_report_takes_no_choice():
    edit = Edit("train.py", Span(1, 0, 1, 6), "from")
    only = replace(column().diagnosis, proposals=(proposal(edit, level="choice"),))
    only = Checked(only, Swept((), ()))
    assert patch.render(Report("", (only,), ()), SOURCES) == ""
