"""`fix` as a user calls it: series of repairs, every format, and files of every kind."""

import json
import os
import stat
import subprocess

import pytest

from tests import warm

pytestmark = pytest.mark.slow

NET = """\
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(6, 8)
        self.head = nn.Linear(16, 1)  # twice as wide as the body

    def forward(self, rows):
        return self.head(self.body(rows).relu())
"""
TRAIN = """\
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from net import Net

torch.manual_seed(0)
rows, labels = torch.randn(9, 6), torch.randint(0, 2, (9,)).float()
model, loss_fn = Net(), nn.BCEWithLogitsLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in DataLoader(TensorDataset(rows, labels), batch_size=4):
    loss = loss_fn(model(x), y)  # a column and a vector
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("trained")
"""
STILL_FAILS = (
    TRAIN.replace("from net import Net\n", "")
    .replace("Net()", "nn.Linear(6, 1)")
    .replace(
        "    optimizer.zero_grad()",
        "    loss = loss + (torch.ones(5, 5) @ torch.ones(7, 7)).mean()",
    )
)
COLUMN = """\
import torch
from torch import nn

rows, labels = torch.randn(9, 6), torch.ones(9)
logits = nn.Linear(6, 1)(rows)
loss = nn.BCEWithLogitsLoss()(logits, labels)  # {note}
loss.backward()
print("{note}")
"""


def python(*arguments, cwd, **options):
    return warm.run(arguments, cwd=cwd, **options)


def wellshaped(*arguments, cwd):
    return python("-m", "wellshaped", *arguments, cwd=cwd, text=True)


@pytest.fixture
def series(tmp_path):
    (tmp_path / "net.py").write_text(NET)
    (tmp_path / "train.py").write_text(TRAIN)
    return tmp_path


def texts(folder):
    return {path.name: path.read_text() for path in folder.glob("*.py")}


def test_a_series_over_two_files_is_shown_and_its_patch_applies(series):
    shown = wellshaped("fix", "--pick", "best", "train.py", cwd=series)
    assert shown.returncode == 1, shown.stderr
    assert "repair 1 of 2" in shown.stdout
    assert "repair 2 of 2" in shown.stdout
    assert shown.stdout.endswith("\n2 fixes verified, nothing written (use `--apply`)\n")
    batch, before, after = (
        line.split()[1:]
        for line in shown.stdout.split("repair 2 of 2")[1].splitlines()
        if line.split()[:1] in (["batch"], ["before"], ["after"])
    )
    assert [word for word in batch if word.isdigit()][:1] == ["1"]
    assert set(before) == {"fails"}
    assert set(after) == {"holds"}
    assert texts(series) == {"net.py": NET, "train.py": TRAIN}
    patch = wellshaped("fix", "--pick", "best", "--format", "patch", "train.py", cwd=series).stdout
    applied = subprocess.run(["git", "apply", "-"], cwd=series, input=patch, text=True)
    assert applied.returncode == 0
    assert python("train.py", cwd=series).stdout == b"trained\n"
    for name, text in (("net.py", NET), ("train.py", TRAIN)):
        lines = (series / name).read_text().splitlines()
        changed = [a for a, b in zip(text.splitlines(), lines, strict=True) if a != b]
        assert len(changed) == 1
        assert changed[0].split("#")[1] in (series / name).read_text()
    again = wellshaped("fix", "--apply", "train.py", cwd=series)
    assert (again.returncode, again.stdout) == (0, "nothing to repair\n")


def test_json_and_sarif_describe_the_series(series):
    code = (
        "import sys; from wellshaped.cli import main\n"
        "told = lambda *a: print(main(['fix', *a, 'train.py']), file=sys.stderr)\n"
        "told('--pick', '1', '--format', 'json'); print('---')\n"
        "told('--pick', 'ws211:1', '--format', 'sarif')\n"
    )
    ran = python("-c", code, cwd=series, text=True)
    assert ran.stderr.split() == ["1", "1"]
    said, log = (json.loads(part) for part in ran.stdout.split("---\n"))
    fixes = said["fixes"]
    assert fixes["left"] == []
    assert len(said["findings"]) == 1  # the second comes to light once the first is gone
    assert [each["repair"]["level"] for each in fixes["repairs"]] == ["choice", "safe"]
    assert [each["file"] for each in fixes["files"]] == ["net.py", "train.py"]
    assert {size["after"] for each in fixes["repairs"] for size in each["batch_sizes"]} == {"holds"}
    for file in fixes["files"]:
        lines = (series / file["file"]).read_text().splitlines(keepends=True)
        for change in reversed(file["changes"]):
            start = change["line"] - 1
            lines[start : start + change["lines"]] = [change["text"]]
        (series / file["file"]).write_text("".join(lines))
    assert python("train.py", cwd=series).stdout == b"trained\n"
    results = log["runs"][0]["results"]
    assert len(results) == 2
    changed = [
        each["artifactLocation"]["uri"] for each in results[0]["fixes"][0]["artifactChanges"]
    ]
    assert changed == ["net.py", "train.py"]


KINDS = {
    "crlf": (lambda text: text.replace("\n", "\r\n").encode(), "kept"),
    "bom": (lambda text: b"\xef\xbb\xbf" + text.encode(), "kept"),
    "latin": (lambda text: ("# coding: latin-1\n" + text).encode("latin-1"), "gehört"),
    "tabs": (lambda text: ("if True:\n\t" + text.replace("\n", "\n\t").rstrip("\t")).encode(), "é"),
    "feed": (lambda text: text.replace("rows,", "\x0crows,", 1).encode(), "kept"),
    "endless": (lambda text: text.rstrip("\n").encode(), "kept"),
}


# In one process `fix` of a program searches once, however often it is shown.
SEARCH_ONCE = """\
import sys
from functools import cache
from wellshaped.cli import main
from wellshaped.pipeline import fix as fixing

search = cache(lambda program, picks: plain(program, picks=dict(picks)))
plain, fixing.fix = fixing.fix, lambda p, *, picks, **_: search(p, tuple(picks.items()))
"""


def repaired_kinds(folder):
    """Each kind of file, repaired by `--apply` and, in a second folder, by `git apply`."""
    written, patched = folder / "written", folder / "patched"
    written.mkdir()
    patched.mkdir()
    for name, (encoded, note) in KINDS.items():
        for folder in (written, patched):
            (folder / f"{name}.py").write_bytes(encoded(COLUMN.replace("{note}", note)))
            (folder / f"{name}.py").chmod(0o754)
    code = (
        f"{SEARCH_ONCE}\n"
        f"for name in {list(KINDS)}:\n"
        "    for how in (['--format', 'patch'], ['--apply', '--backup', '--format', 'json']):\n"
        "        sys.stdout = sys.__stdout__ if 'patch' in how else open('told.json', 'w')\n"
        "        assert main(['fix', *how, name + '.py']) in (0, 1)\n"
        "sys.stdout = sys.__stdout__\n"
    )
    patch = python("-W", "ignore", "-c", code, cwd=written)
    assert patch.returncode == 0, patch.stderr.decode()
    git = ["git", "apply", "--whitespace=nowarn", "-"]
    done = subprocess.run(git, cwd=patched, input=patch.stdout, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    return written, patched


def test_encoding_marks_and_line_ends_survive(tmp_path):
    folders = repaired_kinds(tmp_path)
    for name, (encoded, note) in KINDS.items():
        before = encoded(COLUMN.replace("{note}", note))
        after = before.replace(b"(logits, labels)", b"(logits, labels.unsqueeze(1))")
        assert after != before
        for folder in folders:
            assert (folder / f"{name}.py").read_bytes() == after, name
        written = folders[0] / f"{name}.py"
        assert stat.S_IMODE(written.stat().st_mode) == 0o754, name
        assert (folders[0] / f"{name}.py.bak").read_bytes() == before, name


def test_a_repair_after_which_the_program_still_fails_is_shown_and_not_written(tmp_path):
    (tmp_path / "train.py").write_text(STILL_FAILS)
    done = wellshaped("fix", "--apply", "--unsafe", "train.py", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    assert "y.unsqueeze(1)" in done.stdout
    assert "[choice]" in done.stdout
    told = " ".join(done.stdout.split())
    assert "the program gets further and still fails, at train.py:12 (WS211)" in told
    assert done.stdout.endswith("\nno fix found for 1 of 1 findings\n")
    assert (tmp_path / "train.py").read_text() == STILL_FAILS
    told = json.loads(wellshaped("fix", "--format", "json", "train.py", cwd=tmp_path).stdout)
    (left,) = told["fixes"]["left"]
    assert left["repairs"][0]["stops"] == {"code": "WS211", "file": "train.py", "line": 12}


def test_links_are_followed_and_files_outside_are_left_alone(tmp_path):
    inside, outside = tmp_path / "project", tmp_path / "lib"
    inside.mkdir()
    outside.mkdir()
    (outside / "net.py").write_text(NET)
    (inside / "train.py").write_text(TRAIN)
    (inside / "net.py").symlink_to(outside / "net.py")
    ran = wellshaped("fix", "--apply", "train.py", cwd=inside)
    assert ran.returncode == 1
    assert (outside / "net.py").read_text() == NET
    (inside / "column.py").write_text(COLUMN.replace("{note}", "x"))
    (inside / "link.py").symlink_to(inside / "column.py")
    ran = wellshaped("fix", "--apply", "link.py", cwd=inside)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert os.path.islink(inside / "link.py")
    assert "unsqueeze" in (inside / "column.py").read_text()


def test_a_file_that_changed_meanwhile_is_not_written(tmp_path):
    file = tmp_path / "column.py"
    file.write_text(COLUMN.replace("{note}", "x"))
    code = (
        "from wellshaped.pipeline import fix as fixing; from wellshaped.cli import main\n"
        "plain = fixing.write\n"
        "def late(*args, **options):\n"
        "    open('column.py', 'a').write('# mine\\n'); return plain(*args, **options)\n"
        "fixing.write = late; raise SystemExit(main(['fix', '--apply', 'column.py']))\n"
    )
    ran = python("-c", code, cwd=tmp_path, text=True)
    assert ran.returncode == 2
    assert "WS954" in ran.stderr
    assert file.read_text() == COLUMN.replace("{note}", "x") + "# mine\n"
