"""The table of peers counts what is told, and finds its place in the READMEs."""

import re
from pathlib import Path

from benchmarks.peers import BLOCK, PACKAGES, READMES, ROOT, _told, into_readmes, plain_torch, table
from benchmarks.static_peers import Score, kind_of
from tests.test_readme import is_current, stamp_of

CASES = ROOT / "tests" / "cases"
PLACE = "before\n<!-- peers:start -->\n```text\n```\n<!-- peers:end -->\nafter\n"


def test_a_crash_and_a_warning_are_told(tmp_path: Path) -> None:
    died = "Traceback (most recent call last):\n  File 'a'\nRuntimeError: sizes\n"
    assert _told(died) == {"RuntimeError: sizes": 1}
    assert _told("a.py:3: UserWarning: Using a target size\n  loss\n") == {
        "UserWarning: Using a target size": 1
    }
    assert not _told("a line of the program's own\n")
    (tmp_path / "it.py").write_text("import warnings\nwarnings.warn('beware')\n1 / 0\n")
    assert set(plain_torch(tmp_path, "it.py")) == {
        "UserWarning: beware",
        "ZeroDivisionError: division by zero",
    }


def test_silent_faults_are_counted_apart() -> None:
    loud, silent = CASES / "attention_causal_mask", _first_silent()
    score = Score({"before_loss": {loud.name}}, quiet={silent.name}, seconds=8.0)
    text = table({"tool": score}, [loud, silent], {"tool": "+3 %"})
    assert text.splitlines()[1].split() == ["tool", "1/1", "0/1", "1/2", "2.0", "s", "+3", "%"]


def _first_silent() -> Path:
    return next(path for path in sorted(CASES.iterdir()) if kind_of(path) == "silent")


def test_the_table_goes_into_every_readme_and_translations_stay_current(tmp_path: Path) -> None:
    for name in READMES:
        (tmp_path / name).write_text(PLACE, encoding="utf-8")
    english = (tmp_path / "README.md").read_text("utf-8")
    for name in READMES[1:]:
        stamp = f"<!-- translates README.md sha256:{stamp_of(english)} -->\n"
        (tmp_path / name).write_text(stamp + PLACE, encoding="utf-8")
    into_readmes("2000-01-01, a table\n", tmp_path)
    english = (tmp_path / "README.md").read_text("utf-8")
    for name in READMES:
        after = (tmp_path / name).read_text("utf-8")
        assert BLOCK.findall(after) == ["2000-01-01, a table\n"]
        assert name == "README.md" or is_current(after, english)


def test_the_readmes_show_a_dated_table_of_every_tool() -> None:
    for name in READMES:
        (shown,) = BLOCK.findall((ROOT / name).read_text("utf-8"))
        assert re.match(r"20\d\d-\d\d-\d\d, \d+ of \d+ example faults", shown)
        assert all(package in shown for package in PACKAGES)
        assert re.search(r"^wellshaped check +\d+/\d+ +\d+/\d+ ", shown, re.MULTILINE)
