"""A program that could not be run: its own last frames, and what helps where that is known."""

import json
import os
import subprocess
import sys
from importlib.resources import files

import pytest

from tests import warm
from tests.cli.side_by_side import write
from tests.report.reports import REPORT
from tests.report.schema import problems
from wellshaped.execute.program import Program
from wellshaped.execute.sandbox.enter import Note
from wellshaped.locale.catalogue import ENGLISH
from wellshaped.observe.failure.raised import raised_of
from wellshaped.observe.result import RunResult, Setting
from wellshaped.pipeline.failed import cannot_run, failure_of
from wellshaped.records.failure import Failure, Raised
from wellshaped.records.source import Place
from wellshaped.report import summary
from wellshaped.report.formats import machine

SCHEMA = json.loads(files("wellshaped.report").joinpath("schema/check-v2.json").read_text())


def raised(source: str, folder, name: str = "train.py") -> Raised:
    """The facts of the exception that a program ends with."""
    write(folder, {name: source})
    code = compile(source, str(folder / name), "exec")
    try:
        exec(code, {"__name__": "__main__", "__package__": ""})
    except Exception as error:
        return raised_of(error)
    raise AssertionError("it ran")


def failure(program: Program, facts: Raised, *, refused: tuple[Note, ...] = ()) -> Failure:
    last = next(each for each in reversed(facts.frames) if each.file.endswith("train.py"))
    place = Place(last.file, last.line, last.function)
    ran = RunResult(Setting(), "raised", place=place, raised=facts, refused=refused)
    found = failure_of(program, ran, f"{facts.type}: {facts.message}")
    assert found is not None
    return found


def remedy(program: Program, facts: Raised, **more) -> str:
    found = failure(program, facts, **more).remedy
    return "" if found is None else str(ENGLISH.phrase(found))


def test_frames_are_the_programs_own_and_the_last_of_a_library(tmp_path):
    deep = "def go(n):\n    return go(n - 1) if n else json.loads('{')\n"
    facts = raised(f"import json\n{deep}go(8)\n", tmp_path)
    assert facts.type == "JSONDecodeError"
    assert [frame.function for frame in facts.frames] == ["go"] * 5 + ["raw_decode"]
    own = facts.frames[4]
    assert own.file == str(tmp_path / "train.py")
    assert (own.line, own.text) == (3, "return go(n - 1) if n else json.loads('{')")


def test_an_exception_that_cannot_describe_itself(tmp_path):
    source = "class Odd(Exception):\n    def __str__(self): raise KeyError\nraise Odd\n"
    facts = raised(source, tmp_path)
    assert (facts.type, facts.message) == ("Odd", "")


def test_the_classes_of_an_exception_and_of_its_causes(tmp_path):
    facts = raised(
        "try:\n    open('no')\nexcept OSError as e:\n    raise ValueError from e", tmp_path
    )
    assert facts.kinds[:2] == ("builtins.ValueError", "builtins.Exception")
    assert "builtins.FileNotFoundError" in facts.kinds


def test_relative_import_is_run_as_a_module(tmp_path):
    write(tmp_path, {"top/__init__.py": "", "top/sub/__init__.py": "", "top/net.py": "x = 1"})
    facts = raised("from ..net import x", tmp_path, "top/sub/train.py")
    said = remedy(Program(str(tmp_path / "top/sub/train.py")), facts)
    assert f"in `{tmp_path}`, `wellshaped check -m top.sub.train`" in said
    flat = raised("from .net import x", tmp_path, "plain/train.py")  # a package without a file
    assert "`wellshaped check -m plain.train`" in remedy(
        Program(str(tmp_path / "plain/train.py")), flat
    )


def test_other_import_errors_are_no_relative_imports(tmp_path):
    facts = raised("from math import nothing", tmp_path)
    assert remedy(Program(str(tmp_path / "train.py")), facts) == ""


def test_module_that_is_missing_here(tmp_path):
    program = Program(str(tmp_path / "train.py"))
    assert sys.executable in remedy(program, raised("import nowhere_to_be_found.part", tmp_path))
    write(tmp_path, {"own/__init__.py": ""})
    sys.path.insert(0, str(tmp_path))
    try:
        facts = raised("import own.part", tmp_path)
    finally:
        sys.path.remove(str(tmp_path))
        del sys.modules["own"]
    assert remedy(program, facts) == ""  # another environment would not have it either


def test_data_that_lies_beside_the_program(tmp_path, monkeypatch):
    write(tmp_path, {"sub/rows.csv": "1", "elsewhere/a.txt": ""})
    monkeypatch.chdir(tmp_path)
    facts = raised("open('rows.csv')", tmp_path, "sub/train.py")
    assert f"run the command in {tmp_path / 'sub'}" in remedy(Program("sub/train.py"), facts)
    assert remedy(Program("sub/train.py"), raised("open('no.csv')", tmp_path, "sub/train.py")) == ""


REFUSED = Note("refused", "socket.getaddrinfo", "example.org", Place("train.py", 1, ""))
HUB = """
class LocalEntryNotFoundError(OSError): ...
LocalEntryNotFoundError.__module__ = "huggingface_hub.errors"
raise LocalEntryNotFoundError("offline")
"""


def test_network_that_is_refused(tmp_path):
    program, facts = Program("train.py"), raised("raise ConnectionError('down')", tmp_path)
    assert remedy(program, facts) == ""
    assert "`example.org` was refused" in remedy(program, facts, refused=(REFUSED,))
    other = raised("raise KeyError('x')", tmp_path)
    assert remedy(program, other, refused=(REFUSED,)) == ""


def test_model_that_is_not_in_the_cache(tmp_path):
    assert "`hf download`" in remedy(Program("train.py"), raised(HUB, tmp_path))
    facts = Raised("OSError", "", ("builtins.OSError",), repository="org/rows", is_dataset=True)
    ran = RunResult(Setting(), "raised", raised=facts, refused=(REFUSED,))
    found = failure_of(Program("train.py"), ran, "OSError: x")
    assert "`hf download --repo-type dataset org/rows`" in str(ENGLISH.phrase(found.remedy))


def test_status_2_shows_what_the_program_wrote():
    ran = RunResult(
        Setting(), "ended", status=2, errors="usage: a.py --data D\na.py: error: no \x1b[2Jdata\n"
    )
    found = failure_of(Program("pkg.a", is_module=True), ran, "SystemExit: 2")
    lines = summary.error_line("WS933", cannot_run(found, command="fix").message).splitlines()
    assert lines[0] == "error[WS933]: the program could not be run: SystemExit: 2"
    assert lines[1:3] == ["  usage: a.py --data D", "  a.py: error: no \\x1b[2Jdata"]
    assert lines[3].endswith("`wellshaped fix -m pkg.a ARGUMENT ...`")
    assert (
        failure_of(Program("a.py"), RunResult(Setting(), "ended", status=1), "SystemExit: 1").remedy
        is None
    )


def command(folder, *arguments: str) -> subprocess.CompletedProcess[str]:
    full = ["-m", "wellshaped", *arguments]
    env = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONWARNINGS": "error"}
    return warm.run(full, cwd=folder, text=True, env=env)


@pytest.mark.slow
def test_frames_in_text_and_in_json(tmp_path):
    write(tmp_path, {"train.py": "def main():\n    return {}['mine']\n\nmain()\n"})
    done = command(tmp_path, "check", "train.py", "--format", "json")
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "error[WS933]: the program could not be run: KeyError: 'mine' (train.py:2)",
        '  File "train.py", line 4, in <module>',
        "    main()",
        '  File "train.py", line 2, in main',
        "    return {}['mine']",
    ]
    said = json.loads(done.stdout)
    assert problems(said, SCHEMA) == []
    found = said["failure"]
    assert (found["type"], found["message"]) == ("KeyError", "'mine'")
    assert (found["file"], found["line"], found["remedy"]) == ("train.py", 2, None)
    assert [frame["line"] for frame in found["frames"]] == [4, 2]


@pytest.mark.slow
def test_uncached_model_and_missing_arguments(tmp_path):
    model = "from transformers import AutoConfig\nAutoConfig.from_pretrained('no-org/no-model')\n"
    parser = (
        "import argparse\np = argparse.ArgumentParser()\np.add_argument('--data', required=True)"
    )
    write(tmp_path, {"hub.py": model, "args.py": f"{parser}\np.parse_args()\n"})
    done = command(tmp_path, "check", "hub.py")
    assert done.returncode == 2
    assert "run `hf download no-org/no-model`" in done.stderr
    done = command(tmp_path, "fix", "args.py", "--format", "json")
    assert done.returncode == 2
    assert json.loads(done.stdout)["failure"]["output"][-1].endswith("required: --data")
    assert "usage: args.py [-h] --data DATA" in done.stderr


def test_report_without_a_failure_has_no_such_part():
    assert "failure" not in machine.to_dict(REPORT)
