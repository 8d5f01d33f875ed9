"""Which packages of a program are loaded before its runs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from wellshaped.execute.forked.preload import preload
from wellshaped.execute.program import Program


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place for packages: `einops` is harmless, `other` is not known; neither is loaded."""
    packages = tmp_path / "packages"
    packages.mkdir()
    for name in ("einops", "other"):
        (packages / f"{name}.py").write_text("VALUE = 1\n")
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.syspath_prepend(packages)
    return tmp_path


def loaded_for(folder: Path, text: str) -> set[str]:
    program = folder / "program.py"
    program.write_text(text)
    preload(Program(str(program)))
    return {"einops", "other"} & set(sys.modules)


def test_what_is_known_to_be_harmless_is_loaded(folder: Path) -> None:
    text = "import other\ndef later():\n    from einops import VALUE, missing\n"
    assert loaded_for(folder, text) == {"einops"}


def test_a_file_of_the_program_with_that_name_goes_first(folder: Path) -> None:
    (folder / "einops.py").write_text("raise SystemExit\n")
    assert loaded_for(folder, "import einops\n") == set()


@pytest.mark.parametrize("text", ["def (", "import einops.nothing\n", "x = 1\n"])
def test_what_cannot_be_loaded_is_left_to_the_program(folder: Path, text: str) -> None:
    assert "other" not in loaded_for(folder, text)


@pytest.mark.slow
def test_what_a_package_caches_on_its_import_goes_with_the_process(tmp_path: Path) -> None:
    """As matplotlib does, which torchmetrics imports: fonts, in a folder of the user's."""
    packages, home, temporary = (tmp_path / name for name in ("packages", "home", "tmp"))
    for folder in (packages, home, temporary):
        folder.mkdir()
    (packages / "einops.py").write_text(
        "import os\nfrom pathlib import Path\n"
        "folder = Path(os.environ.get('MPLCONFIGDIR', Path.home() / 'fonts'))\n"
        "folder.mkdir(exist_ok=True)\n(folder / 'cache').write_text('')\n"
    )
    program = tmp_path / "program.py"
    program.write_text("import einops\n")
    code = (
        "from wellshaped.execute.forked.preload import preload; "
        "from wellshaped.execute.program import Program; "
        f"preload(Program({str(program)!r})); import einops; print(einops.folder); "
        "import atexit, os; atexit._run_exitfuncs(); print(os.environ.get('MPLCONFIGDIR'))"
    )
    path = os.pathsep.join([str(packages), os.environ.get("PYTHONPATH", "")])
    found = {"HOME": str(home), "TMPDIR": str(temporary), "PYTHONPATH": path}
    done = subprocess.run(
        [sys.executable, "-c", code],
        # Without what a check in this process has set to the same end.
        env={**{k: v for k, v in os.environ.items() if k != "MPLCONFIGDIR"}, **found},
        capture_output=True,
        text=True,
        check=True,
    )
    used, after = done.stdout.split()
    assert Path(used).parent == temporary
    assert after == "None"
    assert [*home.iterdir(), *temporary.iterdir()] == []
