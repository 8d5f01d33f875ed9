"""Whose an option is: ours before the program, the program's after `--`, clear in between."""

import subprocess

import pytest

from tests import warm
from tests.cli.side_by_side import write
from wellshaped.cli import main
from wellshaped.cli.claimed import claimed
from wellshaped.cli.splitting import split
from wellshaped.execute.program import Program

OPTIONS = {"--format": True, "--apply": False, "-h": False, "--help": False}


@pytest.mark.parametrize(
    ("given", "ours", "program"),
    [
        ("train.py --apply", "--apply", "train.py"),
        ("--format json train.py --epochs 3", "--format json", "train.py --epochs 3"),
        ("train.py --epochs 3 --format json x", "--format json", "train.py --epochs 3 x"),
        ("train.py --format=json -v", "--format=json", "train.py -v"),
        ("-m pkg.train --format json a", "--format json", "-m pkg.train a"),
        ("-mpkg.train --apply a", "--apply", "-mpkg.train a"),
        ("train.py a -- --format json -- b", "", "train.py a --format json -- b"),
        ("-- train.py --apply -- b", "", "train.py --apply -- b"),
        ("--apply -- train.py --apply", "--apply", "train.py --apply"),
        ("train.py --formats x", "", "train.py --formats x"),
        ("train.py --format", "--format", "train.py"),
        ("train.py -h", "", "train.py -h"),
        ("-h train.py", "-h", "train.py"),
        ("", "", ""),
    ],
)
def test_command_line_is_parted(given, ours, program):
    parts = split(given.split(), OPTIONS, left=("-h", "--help"))
    assert (" ".join(parts.ours), " ".join(parts.program)) == (ours, program)


ARGPARSE = "import argparse\np = argparse.ArgumentParser()\np.add_argument('-f', '--format')\n"


@pytest.mark.parametrize(
    "source",
    [
        ARGPARSE,
        "import click\nclick.option('--format/--no-format')",
        "import typer\ndef main(format: str = 'a'): ...\ntyper.run(main)",
        "import fire\nclass Train:\n    def go(self, format): ...\nfire.Fire(Train)",
        "from transformers import HfArgumentParser\nclass Settings:\n    format: str = 'a'",
        "from absl import flags\nflags.DEFINE_string('format', 'a', 'help')",
    ],
    ids=["argparse", "click", "typer", "fire", "transformers", "absl"],
)
def test_options_of_the_program_are_read_from_its_source(tmp_path, source):
    write(tmp_path, {"train.py": source})
    assert [*claimed(Program(str(tmp_path / "train.py")), {"--format", "--apply"})] == ["--format"]


def test_options_are_found_in_the_modules_that_a_program_imports(tmp_path, monkeypatch):
    write(tmp_path, {"pkg/__init__.py": "", "pkg/settings.py": ARGPARSE, "other.py": ARGPARSE})
    write(tmp_path, {"pkg/train.py": "from . import settings\nformat = 1"})
    write(tmp_path, {"train.py": "from pkg import settings"})
    monkeypatch.chdir(tmp_path)
    for program in (Program("train.py"), Program("pkg.train", is_module=True)):
        ((file, line),) = claimed(program, {"--format"}).values()
        assert (file.name, line) == ("settings.py", 3)
    write(tmp_path, {"train.py": "def main(format): ..."})
    assert claimed(Program("train.py"), {"--format"}) == {}


def command(folder, *arguments: str) -> subprocess.CompletedProcess[str]:
    full = ["-m", "wellshaped", *arguments]
    return warm.run(full, cwd=folder, text=True)


SHOWS = "import sys\nprint(sys.argv[1:])"


def test_options_after_the_program_are_ours(tmp_path):
    write(tmp_path, {"prog.py": SHOWS})
    done = command(tmp_path, "run", "prog.py", "--epochs", "3", "--report", "out.html", "x")
    assert (done.returncode, done.stdout, done.stderr) == (0, "['--epochs', '3', 'x']\n", "")
    assert (tmp_path / "out.html").exists()


def test_what_follows_two_dashes_is_the_programs(tmp_path):
    write(tmp_path, {"prog.py": SHOWS})
    done = command(tmp_path, "run", "prog.py", "a", "--", "--report", "out.html")
    assert done.stdout == "['a', '--report', 'out.html']\n"
    assert not (tmp_path / "out.html").exists()


def test_an_option_of_both_is_refused_with_the_two_ways_to_write_it(tmp_path, monkeypatch, capsys):
    write(tmp_path, {"prog.py": ARGPARSE})
    monkeypatch.chdir(tmp_path)
    assert main(["check", "prog.py", "--format", "json"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("error[WS936]: `--format`")
    assert "prog.py:3" in err
    assert "`wellshaped check --format ... prog.py`" in err
    assert "`wellshaped check prog.py -- --format ...`" in err


def test_an_option_of_another_command_is_not_silently_passed(tmp_path, monkeypatch, capsys):
    write(tmp_path, {"prog.py": "print('ran')", "own.py": "import sys\nprint('--apply')"})
    monkeypatch.chdir(tmp_path)
    assert main(["check", "prog.py", "--apply"]) == 2
    assert "`wellshaped fix`" in capsys.readouterr().err
    done = command(tmp_path, "run", "own.py", "--apply")
    assert (done.returncode, done.stdout) == (0, "--apply\n")


def test_help_after_the_program(tmp_path):
    """A dry run of the program's help shows nothing, so it is ours; `run` runs it as it is."""
    write(tmp_path, {"prog.py": SHOWS})
    for name in ("check", "fix"):
        done = command(tmp_path, name, "prog.py", "--help")
        assert done.returncode == 0
        assert done.stdout.startswith(f"usage: wellshaped {name}")
        assert "before or after the program" in done.stdout
    assert command(tmp_path, "run", "prog.py", "--help").stdout == "['--help']\n"
