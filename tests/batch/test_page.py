"""docs/batch.md tells every option of `pad`; its examples run in tests/docs."""

import inspect
from pathlib import Path

import pytest

from wellshaped.batch import pad

PAGE = Path(__file__).parents[2] / "docs" / "batch.md"


@pytest.mark.parametrize("option", [*inspect.signature(pad).parameters][1:])
def test_every_option_is_described(option):
    assert f"`{option}=" in PAGE.read_text(encoding="utf-8")
