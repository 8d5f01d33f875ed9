"""Which packages of a program are loaded before its runs."""

import sys
from pathlib import Path

import pytest

from wellshaped.observe.program import Program
from wellshaped.verify.preload import preload


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
