"""docs/batch.md shows what its examples really print, and every option of `pad`."""

import inspect
from pathlib import Path

import pytest

from tests.task_pages import written
from wellshaped.batch import pad

PAGE = Path(__file__).parents[2] / "docs" / "batch.md"


def test_the_page_is_in_step(rewrite_golden):
    page = PAGE.read_text(encoding="utf-8")
    if rewrite_golden:
        PAGE.write_text(page := written(page), encoding="utf-8")
    assert written(page) == page, "run `make golden`, and read the diff"


@pytest.mark.parametrize("option", [*inspect.signature(pad).parameters][1:])
def test_every_option_is_described(option):
    assert f"`{option}=" in PAGE.read_text(encoding="utf-8")
