"""`--report` writes a page and `--show flow` draws the flow, whatever the command."""

import os
import subprocess

import pytest

from tests import warm
from tests.report.pictures import RANKING, SQUEEZED

pytestmark = pytest.mark.slow


def command(folder, *arguments: str) -> subprocess.CompletedProcess[str]:
    full = ["-m", "wellshaped", *arguments]
    return warm.run(full, cwd=folder, env={**os.environ, "OMP_NUM_THREADS": "1"}, text=True)


def test_run_writes_where_it_was_started(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "prog.py").write_text(f"import os\nos.chdir('sub')\n{RANKING}")
    done = command(tmp_path, "run", "--report", "out.html", "--show", "flow", "prog.py")
    assert done.returncode == 1
    assert "shape flow" in done.stderr
    assert "?1" in done.stderr
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert "WS101" in page
    assert "label.unsqueeze(1)" in page


def test_run_of_a_right_program_writes_that_nothing_is_wrong(tmp_path):
    (tmp_path / "prog.py").write_text("print('fine')")
    done = command(tmp_path, "run", "--report", "out.html", "prog.py")
    assert (done.returncode, done.stdout, done.stderr) == (0, "fine\n", "")
    assert "no shape mistakes found" in (tmp_path / "out.html").read_text(encoding="utf-8")


def test_check_shows_the_sweep(tmp_path):
    (tmp_path / "prog.py").write_text(SQUEEZED)
    options = ("--lang", "es", "--report", "out.html", "--show", "flow")
    done = command(tmp_path, "check", *options, "prog.py")
    assert done.returncode == 1
    assert "cómo cambian las formas" in done.stdout
    assert "B = 1" in done.stdout
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert '<html lang="es">' in page
    assert "data-size=" in page


def test_fix_shows_the_proven_repair_and_the_patch(tmp_path):
    (tmp_path / "prog.py").write_text(RANKING)
    done = command(tmp_path, "fix", "--report", "out.html", "prog.py")
    assert done.returncode == 1
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert "--- a/prog.py" in page


@pytest.mark.parametrize("name", ["run", "check", "fix"])
def test_report_that_cannot_be_written_is_said_before_the_program_runs(tmp_path, name):
    (tmp_path / "prog.py").write_text("print('ran')\nopen('trace', 'w')")
    done = command(tmp_path, name, "--report", "no/out.html", "prog.py")
    assert "error[WS935]" in done.stderr
    assert (done.returncode, done.stdout) == (2, "")
    assert not (tmp_path / "trace").exists()


@pytest.mark.parametrize("target", [".", "prog.py/out.html", "read_only.html"])
def test_other_places_where_no_report_can_be(tmp_path, target):
    (tmp_path / "prog.py").write_text("print('ran')")
    (tmp_path / "read_only.html").touch(mode=0o444)
    done = command(tmp_path, "run", "--report", target, "prog.py")
    assert (done.returncode, done.stdout, done.stderr[:12]) == (2, "", "error[WS935]")


def test_flow_goes_with_text_only(tmp_path):
    (tmp_path / "prog.py").write_text("print('fine')")
    done = command(tmp_path, "check", "--format", "json", "--show", "flow", "prog.py")
    assert (done.returncode, done.stderr[:12]) == (2, "error[WS932]")
