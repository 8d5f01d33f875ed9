"""Which numbers of a program are taken for its batch size, and how they are turned."""

import ast

import pytest

from wellshaped.source.number_sources.batch_size_literals import (
    knobs,
    names_batch_size,
    turned_arguments,
    with_value,
)

PROGRAM = """\
import torch
é = 'ü'; batch_size = 32
size = {"batch_size": 32, "hidden": 32}
layer = torch.nn.Linear(32, 32)
weight = torch.randn(32, 4, requires_grad=True)
x, y = torch.randn(32, 5), torch.randint(0, 9, (32,))
"""


@pytest.mark.parametrize(
    "name", ["batch_size", "BATCH_SIZE", "batchSize", "--batch-size", "train_batch_size", "bs", "B"]
)
def test_names_of_a_batch_size(name: str) -> None:
    assert names_batch_size(name)


@pytest.mark.parametrize("name", ["num_batches", "batch_norm", "n_batch", "hidden", "b1", "base"])
def test_other_names(name: str) -> None:
    assert not names_batch_size(name)


@pytest.mark.parametrize(
    "text",
    [
        "batch_size = 8",
        "batch_size: int = 8",
        "B, T = 8, 5",
        "train(batch_size=8)",
        "def train(data, batch_size=8): pass",
        "def train(data, *, batch_size=8): pass",
        "class Config:\n    batch_size = 8",
        "config = {'batch_size': 8}",
        "config['batch_size'] = 8",
        "parser.add_argument('-b', '--batch-size', type=int, default=8)",
        "x = torch.randn(8, 5)",
        "x = torch.zeros((8, 5))",
        "x = torch.full([8], 1.0)",
        "x = torch.randint(0, 3, (8, 2))",
        "x = np.random.normal(size=(8, 2))",
        "n = 8\nx = torch.randn(n, 5)",
    ],
)
def test_what_sets_a_batch_size(text: str) -> None:
    found = knobs({"a.py": text}, {8})
    assert [each.value for each in found] == [8]
    assert "8" not in with_value(found[0], 3, {"a.py": text})["a.py"]


@pytest.mark.parametrize(
    "text",
    [
        "hidden = 8",
        "num_batches = 8",
        "parser.add_argument('--epochs', default=8)",
        "w = torch.randn(8, 5, requires_grad=True)",
        "w = nn.Parameter(torch.randn(8, 5))",
        "class A:\n    def __init__(self):\n        self.h = torch.zeros(8)",
        "x = torch.randn(5, 8)",
        "x = torch.randint(8, (5,))",
        "n = 8\nn = 9\nx = torch.randn(n)",
        "def broken(:",
    ],
)
def test_what_does_not(text: str) -> None:
    assert knobs({"a.py": text}, {8}) == []


def test_a_number_that_no_model_met_is_none() -> None:
    assert knobs({"a.py": "batch_size = 8"}, {5}) == []


def test_names_come_before_sizes_and_both_together_last() -> None:
    found = knobs({"a.py": PROGRAM}, {32})
    lines = [sorted({spot.span.line for spot in each.spots}) for each in found]
    assert lines == [[2, 3], [2, 3, 6], [6]]
    assert [each.name for each in found] == ["batch_size", "batch_size", ""]


def test_turning_keeps_every_other_character() -> None:
    found = knobs({"a.py": PROGRAM}, {32})[0]
    text = with_value(found, 3, {"a.py": PROGRAM})["a.py"]
    assert text == PROGRAM.replace("batch_size = 32", "batch_size =  3").replace(
        '"batch_size": 32', '"batch_size":  3'
    )
    assert len(text) == len(PROGRAM)
    ast.parse(text)


def test_a_longer_number_fits_too() -> None:
    found = knobs({"a.py": "batch_size = 4 # four"}, {4})[0]
    assert (
        with_value(found, 11, {"a.py": "batch_size = 4 # four"})["a.py"] == "batch_size = 11 # four"
    )


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (("--batch-size", "16", "-v"), ("--batch-size", "3", "-v")),
        (("--lr=1", "--batch_size=16"), ("--lr=1", "--batch_size=3")),
    ],
)
def test_the_command_line_goes_first(given: tuple[str, ...], expected: tuple[str, ...]) -> None:
    found = knobs({"a.py": PROGRAM}, {16, 32}, given)
    assert [each.value for each in found] == [16]
    assert turned_arguments(found[0], 3, given) == expected
