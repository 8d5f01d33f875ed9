"""What a repair may not decide by itself: offered at most, and written only if it is picked."""

import json
from copy import deepcopy
from pathlib import Path

import pytest

from wellshaped.cli import main
from wellshaped.execute.program import Program
from wellshaped.pipeline.fix import apply, fix
from wellshaped.pipeline.search import Search
from wellshaped.records.fix import FixResult

pytestmark = pytest.mark.slow

HEAD = """\
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
"""
END = """\
loss.backward()
print(f"{loss.item():.4f}")
"""
# Each ran to its end after an edit that was wrong: seen in programs from elsewhere.
KINDS = {
    "labels with the length of another dimension": """\
ids = torch.randint(0, 50, (4, 6))
logits = nn.Embedding(50, 7)(ids)
labels = torch.randint(0, 7, (ids.size(0),))
loss = F.cross_entropy(logits, labels)
""",
    "a map of scores against one label": """\
images, real = torch.randn(4, 3, 16, 16), torch.ones(4, 1)
net = nn.Sequential(nn.Conv2d(3, 8, 4, 2), nn.ReLU(), nn.Conv2d(8, 1, 3))
loss = F.binary_cross_entropy_with_logits(net(images).flatten(1), real)
""",
    "noise drawn in another dtype": """\
x = torch.randn(4, 6, dtype=torch.float64)
net = nn.Linear(6, 6)
loss = F.mse_loss(net(x + 0.1 * torch.randn_like(x)), x.float())
""",
    "colours for classes": """\
images, masks = torch.randn(2, 3, 8, 8), torch.randint(0, 255, (2, 8, 8, 3))
loss = F.cross_entropy(nn.Conv2d(3, 5, 1)(images), masks)
""",
    "two heads of different width": """\
x = torch.randn(4, 6)
teacher, student = nn.Linear(6, 10), nn.Linear(6, 2)
loss = F.mse_loss(student(x), teacher(x).detach())
""",
    "one row too many": """\
x = torch.randn(2, 3, 8, 8)
net = nn.Sequential(nn.Conv2d(3, 4, 3, 2), nn.ConvTranspose2d(4, 3, 4, 2))
loss = F.mse_loss(net(x)[:, :, :, :-1], x)
""",
    "embeddings of two widths": """\
users, items = nn.Embedding(9, 8), nn.Embedding(9, 4)
rows = torch.arange(5)
joined = torch.stack([users(rows), items(rows)], 1)
loss = joined.sum(1).pow(2).mean()
""",
    "losses of two sizes": """\
model = nn.Linear(3, 1)
losses = [model(torch.randn(n, 3)).squeeze(1).pow(2) for n in (4, 4, 2)]
loss = torch.stack(losses).mean()
""",
    "a table longer than the picture": """\
patches = nn.Conv2d(3, 8, 4, 4)(torch.randn(2, 3, 16, 16)).flatten(2).transpose(1, 2)
positions = nn.Parameter(torch.randn(1, 20, 8))
loss = (patches + positions).pow(2).mean()
""",
    "rows of another prompt": """\
audio, scores = nn.Linear(3, 4)(torch.randn(2, 3)), torch.randn(6, 4)
loss = F.mse_loss(audio.view(-1), scores.view(-1))
""",
    "states of layers and directions": """\
x = torch.randn(5, 7, 3)
_, (h, _) = nn.LSTM(3, 4, num_layers=2, bidirectional=True, batch_first=True)(x)
loss = F.cross_entropy(nn.Linear(4, 6)(h), torch.randint(0, 6, (5,)))
""",
}


def program_of(kind, folder):
    program = folder / "train.py"
    program.write_text(HEAD + KINDS[kind] + END)
    return program


@pytest.fixture(scope="module")
def searched(tmp_path_factory) -> tuple[Path, FixResult, Search]:
    """A program with choices, and what `fix` finds: the search is dear, and the same each time."""
    program = program_of("two heads of different width", tmp_path_factory.mktemp("heads"))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(program.parent)
        return (program, *fix(Program("train.py"), picks={}))


@pytest.fixture
def heads(searched, monkeypatch):
    """That program, untouched, in the folder where we are; `fix` of it need not search again."""
    program, fixed, search = searched
    program_of("two heads of different width", program.parent)
    monkeypatch.chdir(program.parent)
    monkeypatch.setattr("wellshaped.pipeline.fix.fix", lambda *_, **__: (fixed, deepcopy(search)))
    return program


# A broadcast, a stack, and two pairs whose sizes disagree: behind the rows, and in a picture.
@pytest.mark.parametrize("kind", KINDS)
def test_a_guess_is_never_written(kind, tmp_path):
    program = program_of(kind, tmp_path)
    before = program.read_text()
    fixed, search = fix(Program(str(program)))
    assert fixed.left
    assert not fixed.mended
    applied = apply(fixed, search, unsafe=True, backup=False)
    assert program.read_text() == before
    assert applied.applied.count == 0
    assert all(each.repair.level == "choice" for each in fixed.left[0].diagnosis.proposals)


def test_a_choice_is_written_when_it_is_picked(tmp_path, capsys, monkeypatch):
    program = program_of("two heads of different width", tmp_path)
    monkeypatch.chdir(tmp_path)
    assert main(["fix", "--apply", "--unsafe", "train.py"]) == 1
    shown = capsys.readouterr().out
    assert "fix 1" in shown
    assert "right if:" in shown
    assert "--pick CODE:N" in shown
    assert main(["fix", "--apply", "--pick", "best", "train.py"]) == 0
    assert program.read_text() != HEAD + KINDS["two heads of different width"] + END


@pytest.mark.parametrize(("answer", "status"), [("1", 0), ("", 1), ("9", 1)])
def test_on_a_terminal_it_asks(answer, status, heads, capsys, monkeypatch):
    before = heads.read_text()
    asked = []
    monkeypatch.setattr("wellshaped.cli.fix._talks", lambda: True)
    monkeypatch.setattr("builtins.input", lambda text: asked.append(text) or answer)
    assert main(["fix", "--apply", "train.py"]) == status
    assert asked[0].startswith("which repair of WS205? 1 to ")
    assert "right if:" in capsys.readouterr().out
    assert (heads.read_text() != before) == (answer == "1")


def test_a_pick_that_is_not_there(heads, capsys):
    before = heads.read_text()
    assert main(["fix", "--apply", "--pick", "WS205:99", "train.py"]) == 2
    assert "--pick WS205:99" in capsys.readouterr().err
    assert heads.read_text() == before


@pytest.mark.parametrize("text", ["0", "second", "WS205:", "-1", "WS205:x"])
def test_a_pick_that_is_none(text, tmp_path, capsys, monkeypatch):
    program_of("losses of two sizes", tmp_path)
    monkeypatch.chdir(tmp_path)
    assert main(["fix", "--pick", text, "train.py"]) == 2
    assert "`--pick` takes a number" in " ".join(capsys.readouterr().err.split())


@pytest.mark.usefixtures("heads")
def test_both_versions_of_the_json(capsys):
    said = {}
    for version in (1, 2):
        main(["fix", "--format", "json", "--json-version", str(version), "train.py"])
        said[version] = json.loads(capsys.readouterr().out)
    (old,), (new,) = (said[version]["fixes"]["left"] for version in (1, 2))
    assert {each["level"] for each in old["repairs"]} == {"suggestion"}
    assert "lossless" not in old["repairs"][0]
    first = new["repairs"][0]
    assert first["level"] == "choice"
    assert (first["lossless"], first["alone"], first["number"]) == (False, False, 1)
    assert first["means"].startswith("another size")
    assert Path(first["edits"][0]["file"]).name == "train.py"
