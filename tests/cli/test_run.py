"""`wellshaped run` adds its diagnosis after the program's own words, or nothing at all."""

import re
import subprocess
import sys

import pytest

from tests.cli.side_by_side import Result, both, same, write

# A program can bring its own analysis along: what it answers is then known.
ANALYSIS = """
import os, sys, types
def stand_in(name):
    sys.modules[name] = types.ModuleType(name)
    return sys.modules[name]
stand_in("wellshaped.pipeline")
diagnosis, texts = (stand_in(f"wellshaped.pipeline.{{name}}") for name in ("diagnosis", "texts"))
def diagnose_exception(exc, hazards):
    {on_exception}
def diagnose_hazards(calls):
    {on_hazards}
diagnosis.diagnose_exception = diagnose_exception
diagnosis.diagnose_hazards = diagnose_hazards
texts.rendered = lambda diagnosis, lang: diagnosis.replace("LANG", lang)
"""
CRASH = "wellshaped: could not {} (internal error: {}); the program's own {} stands\n"


def program(folder, source: str, *, on_exception="return None", on_hazards="return []") -> None:
    analysis = ANALYSIS.format(on_exception=on_exception, on_hazards=on_hazards)
    if "import torch" not in source:  # a stand-in: there is something to analyse only with torch
        analysis += "sys.modules['torch'] = types.ModuleType('torch')"
    write(folder, {"prog.py": f"{analysis}\n{source}"})


def run(folder, source: str, **answers: str) -> tuple[Result, Result]:
    """The two ends of a program, whose status and output are the same."""
    program(folder, source, **answers)
    plain, ours = both(folder, "prog.py")
    assert (ours.status, ours.stdout) == (plain.status, plain.stdout)
    return plain, ours


def wellshaped_run(folder, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "wellshaped", "run", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_diagnosis_follows_the_traceback_and_sees_the_frames(tmp_path):
    answer = "return f'{exc!r} {exc.__traceback__.tb_next.tb_frame.f_locals} LANG\\n'"
    source = "def f(width):\n    print('out')\n    return width / 0\nf(3)"
    plain, ours = run(tmp_path, source, on_exception=answer)
    diagnosis = "ZeroDivisionError('division by zero') {'width': 3} en"
    assert ours.stderr == f"{plain.stderr}\n{diagnosis}\n"
    assert plain.status == 1


def test_language_is_handed_on(tmp_path):
    program(tmp_path, "print(sys.argv)\n1 / 0", on_exception="return 'LANG'")
    for option in (["--lang", "es"], ["--lang=es"]):
        done = wellshaped_run(tmp_path, *option, "prog.py", "--", "--lang", "ja")
        assert done.stdout == "['prog.py', '--lang', 'ja']\n"
        assert done.stderr.endswith("\n\nes\n")


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("1 / 0", "return None"),
        ("raise KeyboardInterrupt", "return 'wrong'"),
        ("raise SystemExit('stop')", "return 'wrong'"),
        ("print('fine')", "return 'wrong'"),
    ],
)
def test_nothing_to_say(tmp_path, source, answer):
    plain, ours = run(tmp_path, source, on_exception=answer, on_hazards="return ['wrong']")
    assert ours.stderr == plain.stderr


@pytest.mark.parametrize("kind", ["TypeError", "KeyboardInterrupt", "SystemExit", "RecursionError"])
def test_our_crash_is_one_line(tmp_path, kind):
    plain, ours = run(tmp_path, "1 / 0", on_exception=f"raise {kind}('ours')")
    assert ours.stderr == plain.stderr + CRASH.format("explain this failure", kind, "error")


def test_our_crash_in_full_for_those_who_ask(tmp_path):
    source = "os.environ['WELLSHAPED_DEBUG'] = '1'\n1 / 0"
    plain, ours = run(tmp_path, source, on_exception="return [].pop()")
    line = CRASH.format("explain this failure", "IndexError", "error")
    assert ours.stderr.startswith(f"{plain.stderr}{line}Traceback (most recent call last):\n")
    assert ours.stderr.endswith("IndexError: pop from empty list\n")


def test_analysis_is_apart_from_the_program(tmp_path):
    """Its imports do not run the program's files, and the program's filters are not its own."""
    answer = "import colorsys, warnings; warnings.warn('ours'); return str(sys.path[-1:])"
    write(tmp_path, {"colorsys.py": "print('run a second time')"})
    source = "import warnings\nwarnings.simplefilter('error')\nsys.path.append('last')\n1 / 0"
    plain, ours = run(tmp_path, source, on_exception=answer)
    assert ours.stderr == plain.stderr + "\n['last']\n"


def test_import_of_torch_fails_as_under_python(tmp_path):
    loads = "import warnings\nwarnings.warn('loading', stacklevel=2)\n"
    write(tmp_path, {"torch/__init__.py": f"{loads}raise OSError('libcudart.so')"})
    write(tmp_path, {"prog.py": "import sys\nprint('torch' in sys.modules)\nimport torch"})
    result = same(tmp_path, "prog.py")
    assert "prog.py:3: UserWarning: loading" in result.stderr
    assert "importlib" not in result.stderr


def test_torch_that_cannot_be_watched(tmp_path):
    write(tmp_path, {"torch.py": ""})
    plain, ours = run(tmp_path, "import torch\nprint(torch.__loader__.__dict__)")
    line = CRASH.format("judge the losses of this run", "[A-Za-z]+", "result")
    assert re.fullmatch(line.replace("(", r"\(").replace(")", r"\)"), ours.stderr)
    assert plain.stderr == ""


def test_installed_command(tmp_path):
    launcher = "import sys\nfrom wellshaped.cli import main\nsys.exit(main())"
    write(tmp_path, {"bin/wellshaped": launcher, "prog.py": "import sys\nprint(sys.path[0])"})
    write(tmp_path, {"stop.py": "raise KeyboardInterrupt"})
    command = [sys.executable, "bin/wellshaped", "run"]
    how = {"cwd": tmp_path, "capture_output": True, "text": True, "check": False}
    assert subprocess.run([*command, "prog.py"], **how).stdout == f"{tmp_path}\n"
    stopped = subprocess.run([*command, "stop.py"], **how)
    assert (stopped.returncode, stopped.stderr.count("Traceback")) == (-2, 1)


TRAINING = """
import os, threading, warnings
os.environ["OMP_NUM_THREADS"] = "1"
import torch, torch.nn.functional as F
print(torch.get_num_threads(), torch.__loader__.__dict__)
def step():
    F.mse_loss(torch.zeros(6, 1), torch.zeros(6))
step()
step()
worker = threading.Thread(target=step)
worker.start()
worker.join()
"""


@pytest.mark.slow
def test_hazards_are_told_at_the_end(tmp_path):
    answer = "return [f'{c.loss} {c.count} {c.place.line}' for c in calls] + ['another\\n']"
    plain, ours = run(tmp_path, TRAINING, on_hazards=answer)
    lines = (tmp_path / "prog.py").read_text().splitlines()
    (line,) = (at for at, text in enumerate(lines, 1) if "F.mse_loss" in text)
    assert f"prog.py:{line}: UserWarning: Using a target size" in plain.stderr
    assert ours.stderr == f"{plain.stderr}\nmse_loss 3 {line}\n\nanother\n"


@pytest.mark.slow
def test_failing_loss_shows_its_own_traceback_first(tmp_path):
    source = f"{TRAINING}\nF.cross_entropy(torch.zeros(6, 3), torch.zeros(2).long())"
    plain, ours = run(tmp_path, source, on_exception="return str(len(hazards))")
    assert "ValueError: Expected input batch_size (6)" in plain.stderr
    assert ours.stderr == f"{plain.stderr}\n1\n"
