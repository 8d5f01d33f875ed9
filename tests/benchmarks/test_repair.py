"""The benchmark of `fix` runs, and its stages add up."""

from pathlib import Path

import pytest

from benchmarks.repair import CASES, STAGES, measured

pytestmark = pytest.mark.slow


def test_the_stages_of_one_case_add_up():
    row = measured(CASES / "margin_ranking_functional")
    assert row is not None
    assert row["repaired"] == 1
    assert row["tries"] >= 1
    *parts, total = (row[name] for name in STAGES)
    assert all(part >= 0 for part in parts)
    assert sum(parts) == pytest.approx(total, abs=0.2)


def test_a_program_that_cannot_be_measured_is_none(tmp_path):
    (tmp_path / "case.json").write_text('{"files": {"broken": []}}')
    assert measured(Path(tmp_path)) is None
