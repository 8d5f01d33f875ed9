"""`check`, `fix` and `run` on notebooks, as a user calls them."""

import json
import subprocess

import pytest

from tests import warm
from tests.notebook.samples import cell, notebook

pytestmark = pytest.mark.slow

SETUP = """\
%matplotlib inline
!pip install -q torch
import asyncio
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from IPython.display import clear_output, display"""
DATA = """\
%%time
torch.manual_seed(0)
rows = torch.load("rows.pt")
labels = torch.randint(0, 2, (9,)).float()
await asyncio.sleep(0)
display(rows.shape)
rows.shape"""
TRAIN = """\
!nvidia-smi
model = nn.Linear(6, 1)
loss_fn = nn.BCEWithLogitsLoss()
for x, y in DataLoader(TensorDataset(rows, labels), batch_size=4):
    logits = model(x){squeeze}  # "one" score a row: é
    loss = loss_fn(logits, y)
    loss.backward()
    clear_output(wait=True)
model?
get_ipython().system("ls")
loss"""
SILENT = """\
model = nn.Linear(6, 1)
%time loss = nn.functional.mse_loss(model(rows), labels)
loss.item()"""


def training(squeeze):
    return notebook(
        cell("# Training\n\nwith *words*", "markdown"),
        SETUP,
        DATA,
        cell("raw: %%%", "raw"),
        TRAIN.format(squeeze=squeeze),
        "%%bash\necho 'done'",
    )


def wellshaped(*arguments, cwd):
    return warm.run(["-m", "wellshaped", *arguments], cwd=cwd, text=True)


@pytest.fixture
def folder(tmp_path):
    import torch

    torch.save(torch.randn(9, 6), tmp_path / "rows.pt")
    return tmp_path


def write(folder, text):
    (folder / "train.ipynb").write_bytes(text.encode())


def test_check_names_the_cell_and_leaves_no_trace(folder):
    write(folder, training(".squeeze()"))
    before = {path: path.read_bytes() for path in folder.iterdir()}
    ran = wellshaped("check", "--format", "json", f"{folder.name}/train.ipynb", cwd=folder.parent)
    assert ran.returncode == 1, ran.stdout + ran.stderr
    report = json.loads(ran.stdout)
    (finding,) = report["findings"]
    assert (finding["code"], finding["line"]) == ("WS401", 6)
    assert finding["file"] == f"{folder.name}/train.ipynb#cell5"
    assert finding["origin"]["line"] == 5
    left_out = [
        (each["file"].partition("#")[2], each["line"], each["reason"])
        for each in report["not_checked"]
        if each["code"] == "WS953"
    ]
    assert left_out == [
        ("cell2", 2, "not run: `!pip install -q torch`"),
        ("cell5", 1, "not run: `!nvidia-smi`"),
        ("cell6", 1, "not run: `%%bash`"),
    ]
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_fix_changes_the_one_line_and_then_the_notebook_is_healthy(folder):
    write(folder, training(".squeeze()"))
    ran = wellshaped("fix", "--apply", "--backup", "train.ipynb", cwd=folder)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "train.ipynb#cell5:5" in ran.stdout
    fixed = (folder / "train.ipynb").read_bytes().decode()
    assert fixed == training(".squeeze(-1)")
    assert (folder / "train.ipynb.bak").read_bytes().decode() == training(".squeeze()")
    healthy = wellshaped("check", "train.ipynb", cwd=folder)
    assert (healthy.returncode, "no shape mistakes found" in healthy.stdout) == (0, True)


def test_a_patch_of_the_notebook_applies(folder):
    write(folder, notebook(SETUP, DATA, SILENT))
    ran = wellshaped("fix", "--format", "patch", "train.ipynb", cwd=folder)
    applied = subprocess.run(["git", "apply", "-"], cwd=folder, input=ran.stdout.encode())
    assert applied.returncode == 0
    found = (folder / "train.ipynb").read_bytes().decode()
    new = SILENT.replace("labels)", "labels.unsqueeze(1))")
    assert found == notebook(SETUP, DATA, new)


def test_a_number_in_a_cell_with_magics_sets_the_batch(folder):
    setup = "%time batch_size = 8\nimport torch\nfrom torch import nn\n!ls"
    rest = "model = nn.Linear(3, 1)\nout = model(torch.randn(batch_size, 3)).squeeze()\nlen(out)"
    write(folder, notebook(setup, rest))
    ran = wellshaped("check", "--format", "json", "train.ipynb", cwd=folder)
    assert ran.returncode == 1, ran.stdout + ran.stderr
    (finding,) = json.loads(ran.stdout)["findings"]
    assert (finding["code"], finding["file"]) == ("WS401", "train.ipynb#cell2")
    assert finding["batch_sizes"]["fails"] == [1]


def test_run_explains_the_cell(folder):
    write(folder, training(".squeeze()"))
    ran = wellshaped("run", "train.ipynb", cwd=folder)
    assert ran.returncode == 1
    assert "note[WS953]: train.ipynb#cell2:2: not run: `!pip install -q torch`" in ran.stderr
    assert "    loss = loss_fn(logits, y)\n" in ran.stderr.partition("error[")[0]
    assert "error[WS401]" in ran.stderr


@pytest.mark.parametrize("command", ["check", "fix", "run"])
def test_what_is_no_notebook_is_said_in_one_line(folder, command):
    write(folder, '{"nbformat": 3, "worksheets": []}')
    ran = wellshaped(command, "train.ipynb", cwd=folder)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("error[WS950]: `train.ipynb` has notebook format 3")
    assert ran.stderr.count("\n") == 1


def test_a_cell_that_is_not_python_is_where_it_stops(folder):
    write(folder, notebook("x = 1", "y = = 2"))
    ran = wellshaped("check", "train.ipynb", cwd=folder)
    assert ran.returncode == 2
    assert "SyntaxError" in ran.stderr
    assert "train.ipynb#cell2" in ran.stderr
