"""DeepSpeed's engine takes the steps of one plain process, in each of its ways of sharing out."""

import csv
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from tests.floats import DEEP, near
from tests.train import engines
from tests.train.pairs import pair

pytest.importorskip("deepspeed", reason="`make test-deepspeed` installs it")
pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
LAST = f"checkpoints/step-{engines.STEPS:08d}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """One plain process that accumulates twice as many batches, and all ways of two."""
    made = tmp_path_factory.mktemp("engines")
    engines.run(made / "plain", accumulate=4)
    children = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.train.engines", str(made)],
            cwd=ROOT,
            env={**os.environ, **one},
        )
        for one in pair(OMP_NUM_THREADS="1")
    ]
    assert [child.wait(timeout=240) for child in children] == [0, 0]
    return made


def table(folder, name):
    return list(csv.DictReader((folder / "log" / f"{name}.csv").read_text().splitlines()))


def optimizer(folder):
    return torch.load(folder / "state.pt", weights_only=True)["optimizer"]


@pytest.mark.parametrize("way", [*engines.WAYS, *engines.MOVES])
def test_two_processes_take_the_steps_of_one(folder, way):
    plain, other = folder / "plain", folder / way
    for name in ("train", "evaluation"):
        for left, right in zip(table(plain, name), table(other, name), strict=True):
            assert left.keys() == right.keys()
            for value in left:
                assert float(left[value]) == near(float(right[value]), within=DEEP), value
    for file in ("result.safetensors", f"{LAST}/model.safetensors"):
        found, expected = load_file(other / file), load_file(plain / file)
        assert found.keys() == expected.keys()
        for name, weight in expected.items():
            torch.testing.assert_close(found[name], weight, **DEEP)


@pytest.mark.parametrize("way", engines.WAYS)
def test_the_state_of_the_optimizer_is_that_of_one_process(folder, way):
    expected, found = optimizer(folder / "plain" / LAST), optimizer(folder / way / LAST)
    assert found["param_groups"] == expected["param_groups"]
    torch.testing.assert_close(found["state"], expected["state"], **DEEP)


@pytest.mark.parametrize("way", engines.WAYS)
def test_a_run_goes_on_to_the_same_bits(folder, way):
    once, again = (folder / each / LAST for each in (way, f"{way}, again"))
    first, second = (load_file(each / "model.safetensors") for each in (once, again))
    assert all(torch.equal(first[name], second[name]) for name in first)
    torch.testing.assert_close(optimizer(again), optimizer(once), atol=0, rtol=0)
