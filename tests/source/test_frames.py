"""Frames of the program are told from those of libraries."""

from pathlib import Path

import pytest

from wellshaped.source.frames import is_library


def test_sources_that_a_compiled_package_was_built_from_are_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cython names them relative to the project it was built in (pyarrow 22)."""
    monkeypatch.chdir(tmp_path)
    assert is_library("pyarrow/_fs.pyx")
    assert is_library("pyarrow/error.pxi")
    (tmp_path / "fast.pyx").touch()
    assert not is_library(str(tmp_path / "fast.pyx"))
    assert not is_library("train.py")
