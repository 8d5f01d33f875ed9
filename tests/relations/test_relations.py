"""Each relation is broken where a step breaks it, at the place, and holds where one looks alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from tests.relations.steps import BROKEN, HOLDS, Made
from wellshaped.observe.batches import find_rows
from wellshaped.records.certificate import Certificate
from wellshaped.relations import certify_step


def certified(make: Callable[[], Made]) -> Certificate:
    """The certificate of a step, made from a seed."""
    with torch.random.fork_rng():
        torch.manual_seed(4)
        step, batch = make()
        return certify_step(step, find_rows(batch), seconds=60)


@pytest.mark.parametrize(
    ("relation", "make", "text"),
    [(name, *each) for name, found in BROKEN.items() for each in found],
)
def test_a_broken_relation_is_located(relation: Any, make: Callable[[], Made], text: str) -> None:
    found = certified(make).of(relation)
    assert found is not None
    assert found.standing == "broken"
    if text:
        assert found.passage is not None
        assert found.passage.text == text


@pytest.mark.parametrize(
    ("relation", "make"), [(name, each) for name, found in HOLDS.items() for each in found]
)
def test_a_look_alike_holds(relation: Any, make: Callable[[], Made]) -> None:
    found = certified(make).of(relation)
    assert found is not None
    assert (found.standing, found.reason) == ("holds", None)
