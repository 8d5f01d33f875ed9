"""`check` and `fix` on whole programs, as a user calls them."""

import hashlib
import json
import subprocess

import pytest

from tests import warm

pytestmark = pytest.mark.slow

LAST_BATCH = """\
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
rows, labels = torch.randn(9, 6), torch.randint(0, 2, (9,)).float()
model = nn.Linear(6, 1)
loss_fn = nn.BCEWithLogitsLoss()
for x, y in DataLoader(TensorDataset(rows, labels), batch_size=4):
    logits = model(x).squeeze()  # one score a row
    loss = loss_fn(logits, y)
    loss.backward()
print("done")
"""
SILENT = """\
import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(32, 3)
y = x.sum(1)
model = nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(50):
    loss = nn.functional.mse_loss(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
torch.save(model.state_dict(), "weights.pt")
print(f"{loss.item():.3f}")
"""


def wellshaped(*arguments, cwd):
    return warm.run(["-m", "wellshaped", *arguments], cwd=cwd, text=True)


def hashes(folder):
    return {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.rglob("*.*")}


@pytest.fixture
def program(tmp_path):
    def write(text):
        (tmp_path / "train.py").write_text(text)
        return tmp_path

    return write


def test_check_tells_where_it_fails_and_where_it_holds(program):
    folder = program(LAST_BATCH)
    before = hashes(folder)
    ran = wellshaped("check", "--format", "json", "train.py", cwd=folder)
    assert ran.returncode == 1, ran.stderr
    (finding,) = json.loads(ran.stdout)["findings"]
    assert (finding["code"], finding["severity"]) == ("WS401", "error")
    assert finding["origin"]["line"] == 10
    assert finding["batch_sizes"]["fails"] == [1]
    assert finding["batch_sizes"]["holds"] == [2, 3, 4]
    assert hashes(folder) == before


def test_check_leaves_no_trace_and_finds_the_silent_one(program):
    folder = program(SILENT)
    before = hashes(folder)
    ran = wellshaped("check", "train.py", cwd=folder)
    assert ran.returncode == 1
    assert "error[WS301]" in ran.stdout
    assert hashes(folder) == before


def test_fix_repairs_at_the_origin_and_the_program_runs(program):
    folder = program(LAST_BATCH)
    ran = wellshaped("fix", "--apply", "train.py", cwd=folder)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    text = (folder / "train.py").read_text()
    assert [
        a for a, b in zip(text.splitlines(), LAST_BATCH.splitlines(), strict=True) if a != b
    ] == [text.splitlines()[9]]
    assert "# one score a row" in text
    again = warm.run(["train.py"], cwd=folder, text=True)
    assert again.stdout == "done\n"
    quiet = wellshaped("fix", "--apply", "train.py", cwd=folder)
    assert (quiet.returncode, (folder / "train.py").read_text()) == (0, text)


def test_fix_asks_before_it_changes_results(program):
    folder = program(SILENT)
    asked = wellshaped("fix", "--apply", "train.py", cwd=folder)
    assert asked.returncode == 1
    assert (folder / "train.py").read_text() == SILENT
    patch = wellshaped("fix", "--format", "patch", "train.py", cwd=folder).stdout
    applied = subprocess.run(["git", "apply", "-"], cwd=folder, input=patch, text=True)
    assert applied.returncode == 0
    assert "y.unsqueeze(1)" in (folder / "train.py").read_text()


def test_what_cannot_be_run_is_said_so(program):
    folder = program("raise KeyError('no data')\n")
    ran = wellshaped("check", "train.py", cwd=folder)
    assert ran.returncode == 2
    assert "WS933" in ran.stderr
    assert wellshaped("check", "missing.py", cwd=folder).returncode == 2
    assert wellshaped("fix", "--budget", "x", "train.py", cwd=folder).returncode == 2


def test_broadcasts_are_listed_beside_the_findings(program):
    folder = program(SILENT)
    shown = wellshaped("check", "--broadcasts", "train.py", cwd=folder)
    assert shown.returncode == 1
    assert "train.py:10  (32, 1), (32,) -> (32, 32), 50x" in shown.stdout
    data = wellshaped("check", "--broadcasts", "--format", "json", "train.py", cwd=folder)
    (only,) = json.loads(data.stdout)["broadcasts"]
    assert (only["suspicion"], only["count"], only["line"]) == ("pairs", 50, 10)
    refused = wellshaped("check", "--broadcasts", "--format", "sarif", "train.py", cwd=folder)
    assert refused.returncode == 2
    assert "WS932" in refused.stderr
