"""Real processes: killed at any moment, or two at a time, they come to the same result."""

import multiprocessing
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from tests.train.pairs import SHARDED, finish, pair
from tests.train.reward.runs import command, save_decoder, write_rows
from tests.train.tables import table

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
SETTINGS = [
    *("--batch", "2", "--learning-rate", "0.002", "--save-every", "1"),
    *("--evaluate-every", "4", "--hold-out", "0.25", "--seed", "3"),
]
WINDOW = ("--accumulate", "2")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("processes")
    save_decoder(made / "model")
    write_rows(made / "rows.jsonl", 64)
    return made


def environment():
    path = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
    one = {"OMP_NUM_THREADS": "1", "ACCELERATE_USE_CPU": "true"}
    return {**os.environ, "PYTHONPATH": path, **one}


def arguments(out, *more):
    given = ["train", "reward", "--model", "model", "--data", "rows.jsonl", "--out", out]
    return [*given, *SETTINGS, *more]


@pytest.fixture(scope="module")
def fork():
    """Starts the command in a process of its own, whose modules are loaded already."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment().items():
            patch.setenv(name, value)
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(
            ["wellshaped.train.supervised", "transformers.models.gpt2.modeling_gpt2"]
        )

        def start(folder, *given, **environment):
            child = context.Process(target=command, args=(folder, arguments(*given), environment))
            child.start()
            return child

        yield start


@pytest.fixture(scope="module")
def whole(folder, fork):
    """A run that nobody disturbed: two batches of two make a step."""
    finish(fork(folder, "whole", *WINDOW))
    return folder / "whole"


def test_after_kills_at_any_moment_the_weights_are_the_same_to_the_last_bit(folder, whole, fork):
    seed = 7
    print("seed", seed)
    chance = random.Random(seed)
    kept = folder / "killed" / "checkpoints"
    for after in (1, 2, 3):  # whole checkpoints, then any moment of the steps or saves that follow
        child = fork(folder, "killed", "--resume", *WINDOW)
        seen = newest(kept)
        deadline = time.monotonic() + 120
        while child.is_alive() and newest(kept) < seen + after:
            assert time.monotonic() < deadline
            time.sleep(0.005)
        time.sleep(chance.random() * 0.1)
        child.kill()
        child.join()
        assert child.exitcode == -signal.SIGKILL
    before = newest(kept)
    assert 0 < before < 12
    finish(fork(folder, "killed", "--resume", *WINDOW))
    assert_same(whole / "model.safetensors", folder / "killed" / "model.safetensors")
    last = "checkpoints/step-00000012/model.safetensors"
    assert_same(whole / last, folder / "killed" / last)
    for name in ("train", "evaluation"):
        columns = [
            [(row["step"], row["loss"], row["accuracy"]) for row in table(out, name)]
            for out in (whole, folder / "killed")
        ]
        assert columns[0] == columns[1]


def newest(kept):
    steps = [int(each.name[5:]) for each in kept.glob("step-*")]
    return max(steps, default=0)


def assert_same(first, second):
    one, other = load_file(first), load_file(second)
    assert one.keys() == other.keys()
    assert all(torch.equal(one[name], other[name]) for name in one)


def launched(folder, options, *given):
    """Two processes that `accelerate launch` starts with these options."""
    launch = ["-m", "accelerate.commands.launch", *options, "--main_process_port", "0"]
    ran = subprocess.run(
        [sys.executable, *launch, "-m", "wellshaped", *arguments(*given)],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.count("finished") == 1


def test_two_processes_have_the_losses_of_one_with_the_same_global_batch(folder, whole):
    options = ["--multi_gpu", "--num_processes", "2", "--num_machines", "1"]
    options += ["--mixed_precision", "no", "--dynamo_backend", "no"]
    launched(folder, options, "two", "--accumulate", "1")
    assert_alike(whole, folder / "two")
    kept = {each.name for each in (folder / "two" / "checkpoints").iterdir()}
    assert kept == {each.name for each in (whole / "checkpoints").iterdir()}


def test_the_documented_way_through_deepspeed_has_the_losses_of_one_process(folder, whole):
    pytest.importorskip("deepspeed", reason="`make test-deepspeed` installs it")
    page = (ROOT / "docs" / "scale.md").read_text(encoding="utf-8")
    (config,) = re.findall(r"```yaml\n([^`]*DEEPSPEED[^`]*)```", page)
    (folder / "deepspeed.yaml").write_text(config, encoding="utf-8")
    launched(folder, ["--config_file", "deepspeed.yaml"], "engine", "--accumulate", "1")
    assert_alike(whole, folder / "engine")
    one, other = (load_file(out / "model.safetensors") for out in (whole, folder / "engine"))
    assert one.keys() == other.keys()
    assert all(torch.allclose(one[name], other[name], atol=1e-4) for name in one)
    files = [
        {str(each.relative_to(out)) for each in out.rglob("*")}
        for out in (whole, folder / "engine")
    ]
    assert files[0] == files[1]


def assert_alike(one, other):
    """Both took the same steps to the same values."""
    for name in ("train", "evaluation"):
        rows = zip(table(one, name), table(other, name), strict=True)
        for left, right in rows:
            assert left["step"] == right["step"]
            for value in ("loss", "accuracy", "margin"):
                assert float(left[value]) == pytest.approx(float(right[value]), abs=1e-4), value


def sharded(folder, fork, *given):
    """Two processes, each with a part of every weight."""
    finish(*(fork(folder, *given, **one) for one in pair(**SHARDED)))


def test_sharded_weights_are_learned_alike_saved_whole_and_taken_up_again(folder, whole, fork):
    given = ("sharded", "--accumulate", "1")
    sharded(folder, fork, *given)
    out = folder / "sharded"
    assert_alike(whole, out)
    one, other = load_file(whole / "model.safetensors"), load_file(out / "model.safetensors")
    assert {name: each.shape for name, each in one.items()} == {
        name: each.shape for name, each in other.items()
    }
    assert all(torch.allclose(one[name], other[name], atol=1e-4) for name in one)
    last = out / "checkpoints" / "step-00000012"
    state = torch.load(last / "state.pt", weights_only=True)
    assert "head.weight" in state["optimizer"]["state"]  # by name: it was sharded indeed
    last.rename(folder / "last")
    shutil.rmtree(out / "checkpoints" / "step-00000011")
    assert newest(out / "checkpoints") < 11
    sharded(folder, fork, *given, "--resume")
    assert_same(folder / "last" / "model.safetensors", last / "model.safetensors")
