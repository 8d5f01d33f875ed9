"""Every contract against torch itself, over a thousand random calls each."""

from dataclasses import replace

import pytest

from benchmarks.conformity import compare
from benchmarks.values import confirmed
from wellshaped.contracts.registry import ROWS

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.slow
@pytest.mark.parametrize("name", ROWS)
def test_contract_agrees_with_torch(name):
    tally = compare(name, calls=1000, seed=2024)
    assert tally.calls == 1000
    assert tally.accepted > 100
    assert tally.disagreements == []


def test_a_wrong_contract_is_noticed(monkeypatch):
    row = ROWS["margin_ranking_loss"]
    wrong = row.steps.replace("same_rank(input1, input2, target)", "")
    assert wrong != row.steps
    monkeypatch.setitem(ROWS, row.name, replace(row, steps=wrong))
    assert compare(row.name, calls=200, seed=1).disagreements


def test_value_refusals_are_what_the_list_says():
    assert len(confirmed()) >= 9
