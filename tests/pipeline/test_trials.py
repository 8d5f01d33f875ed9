"""Repairs are tried where the program failed: what helps comes first, and names the origin."""

import pytest

from wellshaped.execute import Program
from wellshaped.pipeline.check import check
from wellshaped.report.formats.machine import finding_to_dict

SETTINGS = "n_class = 5\nwidth = 6\n"
TWO_SETTINGS = """
import torch
from torch import nn
from settings import n_class, width

torch.manual_seed(0)
model = nn.Linear(width, n_class)
for _ in range(2):
    scores = model(torch.randn(8, width))
    target = torch.nn.functional.one_hot(torch.arange(8) % 7, 7).float()
    loss = nn.functional.binary_cross_entropy_with_logits(scores, target)
    loss.backward()
"""
WRAPPED = """
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

class Pairs(Dataset):
    def __len__(self):
        return 12

    def __getitem__(self, i):
        y = torch.tensor([i % 3])
        return torch.ones(4) * i, y

model = nn.Linear(4, 3)
for x, y in DataLoader(Pairs(), batch_size=4):
    nn.functional.cross_entropy(model(x), y).backward()
"""
SILENT = """
import torch
from torch import nn

class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(4, 1)

    def forward(self, x):
        return self.out(x).squeeze(-1)

torch.manual_seed(0)
head, x, y = Head(), torch.randn(8, 4), torch.randn(8, 1)
for _ in range(2):
    nn.functional.mse_loss(head(x), y).backward()
"""
ACCUMULATED = """
import torch
from torch import nn

model = nn.Linear(4, 4)
total = torch.zeros(6, 4)
part = model(torch.randn(2, 4)).bfloat16()
total = total.index_add_(0, torch.tensor([0, 1]), part)
"""


def checked(folder, monkeypatch, text, **modules):
    for name, module in modules.items():
        (folder / f"{name}.py").write_text(module)
    (folder / "train.py").write_text(text.lstrip())
    monkeypatch.chdir(folder)
    found = check(Program("train.py"), budget=60).report.findings
    return [finding_to_dict(each) for each in found]


def line_of(text, part):
    written = text.lstrip().splitlines()
    return next(number for number, each in enumerate(written, 1) if part in each)


def test_the_number_that_sets_a_size_is_its_origin(tmp_path, monkeypatch):
    (found,) = checked(tmp_path, monkeypatch, TWO_SETTINGS, settings=SETTINGS)
    assert (found["origin"]["file"], found["origin"]["line"]) == ("settings.py", 1)
    best = found["repairs"][0]
    assert best["runs"]
    assert best["level"] == "choice"
    assert [(edit["file"], edit["text"]) for edit in best["edits"]] == [("settings.py", "7")]


def test_a_sample_that_is_wrapped_is_the_origin_of_a_column(tmp_path, monkeypatch):
    found = checked(tmp_path, monkeypatch, WRAPPED)[0]
    assert found["code"] == "WS102"
    assert found["origin"]["line"] == line_of(WRAPPED, "y = torch.tensor")
    assert [each["runs"] for each in found["repairs"][:2]] == [True, True]


def test_the_step_that_dropped_a_dimension_is_the_origin_of_a_silent_broadcast(
    tmp_path, monkeypatch
):
    found = checked(tmp_path, monkeypatch, SILENT)[0]
    assert found["code"] == "WS301"
    assert found["origin"]["line"] == line_of(SILENT, "squeeze(-1)")


def test_a_call_that_no_rule_knows_is_found_with_its_tensors(tmp_path, monkeypatch):
    (found,) = checked(tmp_path, monkeypatch, ACCUMULATED)
    assert found["line"] == line_of(ACCUMULATED, "index_add_")
    assert {each["dtype"] for each in found["tensors"]} >= {"float32", "bfloat16"}


@pytest.mark.parametrize("rows", [3, 4])
def test_at_a_size_that_it_need_not_meet_a_rejected_call_is_no_fault(tmp_path, monkeypatch, rows):
    text = f"""
import torch
from torch import nn
from torch.utils.data import DataLoader

model = nn.Linear(4, 4)
for x in DataLoader(torch.randn(12, 4), batch_size={rows}):
    apart = torch.cdist(model(x), model(x))[~torch.eye(len(x), dtype=torch.bool)]
    apart.view(len(x), -1).amin(1).sum().backward()
"""
    assert not [each for each in checked(tmp_path, monkeypatch, text) if each["severity"] != "note"]
