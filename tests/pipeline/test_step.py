"""`wellshaped.check` on a step: what it sees, at which sizes, and that the caller keeps it all."""

import copy
import doctest
import json
import linecache
import os
import random
import signal
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional as F

import wellshaped
from tests import warm
from wellshaped.pipeline import step as step_module

pytestmark = pytest.mark.slow

X, Y = torch.randn(8, 6), torch.randn(8)


def codes(report):
    return [each.diagnosis.finding.code for each in report.findings]


def squeezed(x, y):
    scores = F.linear(x, torch.ones(1, 6)).squeeze()
    return F.binary_cross_entropy_with_logits(scores, y.sigmoid())


def broadcast(x, y):
    return F.mse_loss(F.linear(x, torch.ones(1, 6)), y)


def right(x, y):
    return F.mse_loss(F.linear(x, torch.ones(1, 6)).squeeze(1), y)


def test_a_right_step_is_true_and_says_so():
    report = wellshaped.check(right, (X, Y))
    assert report
    assert report.ok
    assert report.findings == report.not_checked == ()
    assert report.complete
    lines = [f"batch size {size}: finished" for size in (8, 1, 2, 3)]
    assert str(report).splitlines() == [*lines, "no shape mistakes found"]
    assert repr(report) == "<StepReport of right: nothing found>"


def test_a_fault_at_one_size_is_a_warning_that_names_it():
    report = wellshaped.check(squeezed, (X, Y))
    (found,) = report.findings
    assert not report
    assert (found.diagnosis.finding.code, found.diagnosis.finding.severity) == ("WS401", "warning")
    assert (found.swept.fails, found.swept.holds) == ((1,), (2, 3, 8))
    assert "fails" in str(report)
    assert ".squeeze()" in str(report)


def test_a_silent_fault_is_seen_at_every_size():
    report = wellshaped.check(broadcast, (X, Y), batch_sizes=[5])
    (found,) = report.findings
    assert found.diagnosis.finding.severity == "error"
    assert found.swept.fails == (5, 8), "the batch's own size is always among them"
    assert str(report).startswith("error[WS301]")


def test_a_fault_that_stops_it_is_diagnosed():
    def step(x, y):
        return F.cross_entropy(x, y.long().abs().clamp(max=5).unsqueeze(1))

    assert codes(wellshaped.check(step, (X, Y), batch_sizes=[])) == ["WS102"]


def test_the_data_is_that_of_the_command(tmp_path):
    report = wellshaped.check(squeezed, (X, Y))
    found = report.to_dict()
    assert json.loads(json.dumps(found)) == found
    assert (found["version"], found["program"]) == (2, "squeezed")
    assert found["findings"][0]["batch_sizes"] == {
        "fails": [1],
        "holds": [2, 3, 8],
        "not_run": [],
    }
    assert (found["status"], found["complete"]) == (1, True)
    assert (found["runs"][0]["batch_size"], found["runs"][0]["ended"]) == (8, "finished")
    assert found["findings"][0]["file"].endswith("test_step.py")


@dataclass
class Held:
    x: Any
    y: Any


@pytest.mark.parametrize(
    ("step", "batch"),
    [
        (lambda x, y: broadcast(x, y), (X, Y)),
        (lambda x, y: broadcast(x, y), [X, Y]),
        (lambda batch: broadcast(*batch), (X, Y)),
        (lambda batch, scale=1: broadcast(*batch), (X, Y)),
        (lambda x, y=None: broadcast(x, y), {"x": X, "y": Y}),
        (lambda batch: broadcast(**batch), {"x": X, "y": Y}),
        (lambda **batch: broadcast(**batch), {"x": X, "y": Y}),
        (lambda batch: broadcast(batch.x, batch.y), Held(X, Y)),
        (lambda x: broadcast(x, x[:, 0]), X),
        (
            lambda samples: broadcast(*map(torch.stack, zip(*samples, strict=True))),
            [(x, y) for x, y in zip(X, Y, strict=True)],
        ),
    ],
)
def test_the_batch_is_given_as_the_step_takes_it(step, batch):
    report = wellshaped.check(step, batch, batch_sizes=[2])
    assert [each.swept.fails for each in report.findings] == [(2, 8)]


def test_a_model_takes_what_its_forward_takes():
    class Model(nn.Module):
        def forward(self, x, y=None):
            return broadcast(x, y)

    assert codes(wellshaped.check(Model(), {"x": X, "y": Y}, batch_sizes=[2])) == ["WS301"]


class Training:
    """Everything a training step changes."""

    def __init__(self):
        torch.manual_seed(0)
        self.model = nn.Sequential(
            nn.Linear(6, 4), nn.BatchNorm1d(4), nn.Dropout(), nn.Linear(4, 1)
        )
        self.optimizer = torch.optim.Adam(self.model.parameters())
        self.schedule = torch.optim.lr_scheduler.StepLR(self.optimizer, 1)
        self.history: list[float] = []
        self.step((X, Y))

    def step(self, batch):
        x, y = batch
        x.mul_(1.0).add_(1)
        self.model.train(not self.model.training)
        loss = F.mse_loss(self.model(x), y) + random.random() + np.random.rand()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.schedule.step()
        self.history.append(loss.item())
        os.environ["STEPS"] = str(len(self.history))
        with open("history.txt", "a") as file:
            file.write(f"{loss.item()}\n")

    def state(self):
        return copy.deepcopy(
            (
                self.model.state_dict(),
                [each.grad for each in self.model.parameters()],
                [each.training for each in self.model.modules()],
                self.optimizer.state_dict(),
                self.schedule.state_dict(),
                self.history,
                torch.get_rng_state(),
                np.random.get_state(),
                random.getstate(),
                os.environ["STEPS"],
                X,
                torch.get_num_threads(),
            )
        )


def same(a, b):
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    return torch.equal(a, b) if isinstance(a, torch.Tensor) else bool(np.all(a == b))


@pytest.mark.filterwarnings("ignore:Using a target size")
def test_nothing_of_the_callers_changes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("STEPS", "0")
    training = Training()
    before, text = training.state(), (tmp_path / "history.txt").read_text()
    report = wellshaped.check(training.step, (X, Y), batch_sizes=[2])
    assert codes(report) == ["WS301"]
    assert same(training.state(), before)
    assert (tmp_path / "history.txt").read_text() == text
    training.step((X, Y))
    assert not same(training.state(), before), "a step that changes nothing would prove nothing"


def test_it_holds_under_threads_already_in_use(tmp_path):
    program = tmp_path / "train.py"
    program.write_text(
        "import torch, wellshaped\n"
        "from torch import nn\n"
        "torch.set_num_threads(4)\n"
        "model = nn.Sequential(nn.Linear(600, 600), nn.ReLU(), nn.Linear(600, 1))\n"
        "def step(x, y):\n"
        "    loss = nn.functional.mse_loss(model(x).squeeze(), y)\n"
        "    loss.backward()\n"
        "x, y = torch.randn(500, 600), torch.randn(500)\n"
        "step(x, y)\n"
        "report = wellshaped.check(step, (x, y), batch_sizes=[1])\n"
        "print(report.not_checked, torch.get_num_threads(), report.findings[0].swept.fails)\n"
    )
    ran = warm.run([program], text=True)
    assert ran.stdout == "() 4 (1,)\n", ran.stderr


def test_a_cell_of_a_notebook_is_quoted():
    cell = "def step(x, y):\n    return F.mse_loss(x, y)\n"
    name = "<ipython-input-1-0123456789ab>"
    linecache.cache[name] = (len(cell), None, cell.splitlines(keepends=True), name)
    made: dict[str, Any] = {"F": F}
    exec(compile(cell, name, "exec"), made)
    text = str(wellshaped.check(made["step"], (X[:, :1], Y), batch_sizes=[]))
    assert f"{name}:2" in text
    assert "return F.mse_loss(x, y)" in text


def test_an_outer_guard_does_not_disturb_it():
    with wellshaped.guard():
        assert codes(wellshaped.check(broadcast, (X, Y), batch_sizes=[])) == ["WS301"]


def test_what_was_refused_is_told():
    def step(x, y):
        try:
            os.system("touch made")
        except OSError:
            return right(x, y)

    (note,) = wellshaped.check(step, (X, Y), batch_sizes=[]).not_checked
    assert (note.code, note.file) == ("WS940", __file__)


def test_a_step_that_is_killed_has_told_what_it_did_before():
    def step(x, y):
        loss = F.mse_loss(x, y)
        os.kill(os.getpid(), signal.SIGKILL)
        return loss

    report = wellshaped.check(step, (torch.zeros(4, 1), torch.zeros(4)), [2])
    assert [each.diagnosis.finding.code for each in report.findings] == ["WS301"]
    assert [each.code for each in report.not_checked] == ["WS902", "WS902"]


def test_memory_that_cannot_be_protected_is_listed(monkeypatch):
    monkeypatch.setattr(step_module, "can_make_memory_private", lambda: False)
    report = wellshaped.check(nn.Linear(3, 1), torch.zeros(4, 3), [2])
    assert [each.code for each in report.not_checked] == ["WS942"]
    assert "shared memory" in str(report)


def test_another_failure_at_another_size_is_not_passed_off_as_fine():
    def step(x, y):
        return {8: 1, 2: 1}[len(x)]

    (note,) = wellshaped.check(step, (X, Y), batch_sizes=[2, 3]).not_checked
    assert (note.code, note.file) == ("WS903", __file__)
    assert "KeyError" in note.reason.facts["error"]


@pytest.mark.parametrize(
    ("step", "batch", "options", "words"),
    [
        ("step", X, {}, "WS970: .* not str"),
        (right, 3, {}, "WS971: "),
        (right, (X, torch.ones(5)), {}, "WS971: "),
        (right, X, {}, r"WS972: .*\(x, y\)"),
        (right, (X, Y), {"batch_sizes": [0]}, "WS973: .* not 0"),
        (right, (X, Y), {"batch_sizes": [True]}, "WS973: .* not True"),
        (right, (X, Y), {"batch_sizes": ["2"]}, "WS973: .* not '2'"),
        (
            lambda x, y: {"a": x}["missing"],
            (X, Y),
            {"batch_sizes": []},
            "WS933: .*KeyError: 'missing'.*test_step.py:(?s:.*)line .*, in <lambda>\n",
        ),
    ],
)
def test_what_cannot_be_checked_is_refused_with_a_code(step, batch, options, words):
    with pytest.raises(ValueError, match=words):
        wellshaped.check(step, batch, **options)


def test_cuda_in_use_is_refused(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_initialized", lambda: True)
    with pytest.raises(ValueError, match="WS974"):
        wellshaped.check(right, (X, Y))


def test_a_step_that_ends_its_process_is_no_clean_step():
    report = wellshaped.check(lambda x, y: os._exit(0), (X, Y), batch_sizes=[])
    assert not report
    assert not report.complete
    assert report.findings == ()
    assert report.to_dict()["status"] == 3
    assert "no shape mistakes found" not in str(report)


def test_a_step_that_fails_at_one_size_for_a_reason_of_its_own_is_incomplete():
    def step(x, y):
        if len(x) == 1:
            raise KeyError("one")
        return right(x, y)

    report = wellshaped.check(step, (X, Y))
    assert not report
    assert [run.ended for run in report.report.runs] == ["finished", "stopped", *["finished"] * 2]
    assert "batch size 1: stopped: " in str(report)


def test_the_example_is_true():
    found = doctest.DocTestFinder().find(step_module.check, "check", globs={})
    (example,) = [each for each in found if each.examples]
    assert doctest.DocTestRunner().run(example).failed == 0
