"""A loader of ragged samples: the collate function that is written for it, and that it works."""

import pytest
import torch

from tests.diagnose.snippets import PRELUDE, diagnosed
from wellshaped.repair.apply import with_edits
from wellshaped.report.compose import compose
from wellshaped.report.text.terminal import render

LOADER = """
from torch.utils.data import DataLoader
class Rows:
    def __len__(self): return 2
    def __getitem__(self, i):
        row, tags = torch.arange(i + 2), torch.arange(i + 2)
        return {sample}
def loop(loader):
    for batch in loader: pass
    return batch
loader = DataLoader(Rows(), batch_size=2)
batch = loop(loader)
"""


def repaired(snippet, folder):
    found = diagnosed(snippet, folder)
    assert found is not None
    assert found.finding.code == "WS223"
    edits = found.proposals[0].repair.edits
    text = with_edits(PRELUDE + snippet.strip("\n") + "\n", edits)
    assert text is not None
    names = {"__name__": "__main__"}
    exec(compile(text, str(folder / "example.py"), "exec"), names)
    return names["batch"], text


@pytest.mark.parametrize(
    ("sample", "padded"),
    [
        ("row", [[0, 1, 0], [0, 1, 2]]),
        ("(row, i)", [[0, 1, 0], [0, 1, 2]]),
        ("(row.numpy(), 'name')", [[0, 1, 0], [0, 1, 2]]),
        ("{'ids': row.tolist(), 'label': i}", [[0, 1, 0], [0, 1, 2]]),
    ],
)
def test_the_loader_pads_what_is_ragged(sample, padded, tmp_path):
    batch, _ = repaired(LOADER.replace("{sample}", sample), tmp_path)
    first = batch["ids"] if isinstance(batch, dict) else batch
    first = first if isinstance(first, torch.Tensor) else first[0]
    assert first.tolist() == padded


def test_labels_are_padded_with_what_the_loss_passes_over(tmp_path):
    snippet = LOADER.replace("{sample}", "row, tags")
    (row, tags), text = repaired(snippet, tmp_path)
    assert row.tolist() == [[0, 1, 0], [0, 1, 2]]
    assert tags.tolist() == [[0, 1, -100], [0, 1, 2]]
    assert "row, tags = zip(*samples)" in text, "the parts keep the names of the data set"
    told = snippet + "nn.CrossEntropyLoss(ignore_index=7)\n"
    assert repaired(told, tmp_path)[0][1].tolist() == [[0, 1, 7], [0, 1, 2]]


@pytest.mark.parametrize("sample", ["torch.ones(2, i + 2)", "torch.ones(i + 1, 4, 4)"])
def test_what_cannot_be_padded_gets_no_edit(sample, tmp_path):
    found = diagnosed(LOADER.replace("{sample}", sample), tmp_path)
    assert found is not None
    assert not any(each.repair.edits for each in found.proposals)


def test_the_loop_is_marked_though_the_loader_is_built_elsewhere(tmp_path):
    found = diagnosed(LOADER.replace("{sample}", "row"), tmp_path)
    assert found is not None
    lines = render(compose(found)).splitlines()
    place = next(i for i, line in enumerate(lines) if "for batch in loader" in line)
    assert "^^^^^^" in lines[place + 1]
