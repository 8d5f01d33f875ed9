"""Loops end early when they show nothing new, and only then."""

import builtins
from collections.abc import Iterator
from typing import Any

import pytest
import torch

from wellshaped.execute.coverage import Coverage, track_coverage


@pytest.fixture
def follow() -> Iterator[Coverage]:
    with track_coverage(patience=0.0) as found:
        yield found


def train(rows: int = 4) -> bool:
    model = torch.nn.Linear(3, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model(torch.ones(rows, 3)).sum().backward()
    optimizer.step()
    return True


def test_a_training_loop_gives_its_first_elements_and_the_last(follow: Coverage) -> None:
    seen = [epoch for epoch in follow.loop("", range(100)) if train()]
    assert seen == [0, 1, 2, 99]
    assert follow.shortened


@pytest.mark.parametrize(("count", "cut"), [(3, False), (4, False), (5, True)])
def test_a_loop_that_had_no_more_to_give_is_not_shortened(
    follow: Coverage, count: int, cut: bool
) -> None:
    for elements in (range(count), [*range(count)]):
        assert len([each for each in follow.loop("", elements) if train()]) == min(count, 4)
    assert follow.shortened == cut


def test_new_shapes_keep_it_going(follow: Coverage) -> None:
    seen = [rows for rows in follow.loop("", range(1, 9)) if train(rows)]
    assert seen == [*range(1, 9)]
    assert not follow.shortened


@pytest.mark.parametrize(("when", "seen"), [(2, True), (3, False)])
def test_a_new_block_keeps_it_going(follow: Coverage, when: int, seen: bool) -> None:
    """Three iterations without anything new are enough."""
    text = f"for n in range(30):\n    train()\n    if n == {when}:\n        found.append(n)\n"
    found: list[int] = []
    exec(follow.compiled(text, "a.py"), {"train": train, "found": found})
    assert found == ([when] if seen else [])


def test_a_loop_that_does_not_train_is_whole(follow: Coverage) -> None:
    assert [*follow.loop("", range(100))] == [*range(100)]
    assert sum(follow.again("while", n < 50) for n in range(100)) == 50


def test_an_endless_loop_ends(follow: Coverage) -> None:
    count = 0
    while follow.again("while", True):
        train()
        count += 1
    assert count < 20


LEFT_BY_BREAK = """\
rounds = []
for epoch in iter(range(40)):
    count = 0
    while True:
        train()
        count += 1
        if count == 3:
            break
    rounds.append(count)
"""
LEFT_BY_RETURN = """\
def some():
    count = 0
    while count < 50:
        train()
        count += 1
        if count == 3:
            return count
    return count
rounds = []
for epoch in iter(range(40)):
    rounds.append(some())
"""
CALLS_ITSELF = """\
rounds = []
def some(depth):
    count = 0
    while count < 30:
        train(rows=5)
        count += 1
        if depth and count == 2:
            some(depth - 1)
    rounds.append(count)
for epoch in range(12):
    some(2)
"""


@pytest.mark.parametrize("text", [LEFT_BY_BREAK, LEFT_BY_RETURN, CALLS_ITSELF])
def test_a_while_loop_that_is_entered_again_has_its_first_rounds(
    follow: Coverage, text: str
) -> None:
    """Whatever way it was left the last time, and however long it showed nothing new."""
    names: dict[str, Any] = {"train": train}
    exec(follow.compiled(text, "a.py"), names)
    assert min(names["rounds"]) >= 3


def test_every_entry_of_a_for_loop_has_its_first_rounds(follow: Coverage) -> None:
    text = """\
rounds = []
for epoch in range(30):
    for kind in (range(9), [*range(9)], iter(range(30)), enumerate(range(30))):
        count = 0
        for _ in kind:
            train()
            count += 1
        rounds.append(count)
"""
    names: dict[str, Any] = {"train": train}
    exec(follow.compiled(text, "a.py"), names)
    assert follow.shortened
    assert min(names["rounds"]) >= 3


def test_nothing_is_shortened_while_there_is_patience() -> None:
    with track_coverage(patience=60.0) as found:
        assert len([n for n in found.loop("", range(12)) if train()]) == 12


def test_the_first_sizes_of_what_models_get(follow: Coverage) -> None:
    train(4)
    train(6)
    assert (follow.leading, follow.current) == ({4, 6}, 6)
    assert follow.axes == {3, 1}


def test_unreached_blocks_are_told_once_and_outermost(follow: Coverage) -> None:
    text = "def f(x):\n    if x:\n        return x[0]\n    return x[1]\ny = 1\n"
    exec(follow.compiled(text, "a.py"), {})
    assert [(path, block.line, block.end_line) for path, block in follow.unreached()] == [
        ("a.py", 2, 4)
    ]


def test_everything_is_as_before_afterwards() -> None:
    plain = torch.nn.Module.__call__
    with track_coverage():
        assert torch.nn.Module.__call__ is not plain
    assert torch.nn.Module.__call__ is plain
    assert not [name for name in vars(builtins) if "wellshaped" in name]
