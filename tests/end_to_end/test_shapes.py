"""`wellshaped shapes` on a program: beside its lines, as JSON, as a page, and where it stops."""

import json
from importlib.resources import files

import jsonschema
import pytest

from tests import warm

pytestmark = pytest.mark.slow

SCHEMA = json.loads(files("wellshaped.report").joinpath("schema/shapes-v1.json").read_text())
PROGRAM = """\
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
rows = TensorDataset(torch.randn(10, 5), torch.randint(3, (10,)))
net = nn.Sequential(nn.Linear(5, 8), nn.Linear(8, 3))
for x, y in DataLoader(rows, batch_size=4):
    loss = nn.functional.cross_entropy(net(x), y)
    loss.backward()
    open("log.txt", "a").write("a step")
"""
FAILS = PROGRAM.replace("nn.Linear(8, 3)", "nn.Linear(9, 3)")


def shapes(folder, program, *options):
    (folder / "train.py").write_text(program)
    command = ["-m", "wellshaped", "shapes", "train.py", *options]
    return warm.run(command, cwd=folder, text=True)


def test_the_lines_of_a_program_with_their_shapes(tmp_path):
    done = shapes(tmp_path, PROGRAM)
    assert (done.returncode, done.stderr) == (0, "")
    assert (
        done.stdout
        == """\
train.py
  6 | rows = TensorDataset(torch.randn(10, 5), torch.randint(3, (10,)))
    |     torch.randn(10, 5)       (10, 5)
    |     torch.randint(3, (10,))  (10,) int64
  9 |     loss = nn.functional.cross_entropy(net(x), y)
    |         x       (4, 5) / (2, 5)
    |         net(x)  (4, 3) / (2, 3)
    |         y       (4,) int64 / (2,) int64
    |         loss    ()

`Sequential`, called at train.py:9: 75 parameters
  layer     input   output  parameters
  0 Linear  (4, 5)  (4, 8)  48
  1 Linear  (4, 8)  (4, 3)  27

shapes of one dry run, batch size 2, 4
"""
    )
    assert [each.name for each in tmp_path.iterdir()] == ["train.py"]


def test_json_follows_its_schema(tmp_path):
    said = json.loads(shapes(tmp_path, PROGRAM, "--format", "json").stdout)
    jsonschema.validate(said, SCHEMA)
    assert said["batch_sizes"] == [2, 4]
    (loss,) = [each for each in said["expressions"] if each["name"] == "loss"]
    assert (loss["line"], loss["column"], loss["assigned"]) == (9, 12, True)
    assert said["models"][0]["layers"][1]["outputs"] == [{"shape": [4, 8], "dtype": "float32"}]


def test_a_run_that_stops_shows_how_far_it_came(tmp_path):
    done = shapes(tmp_path, FAILS, "--report", "shapes.html", "--lang", "es")
    assert done.returncode == 3
    assert "1 Linear" in done.stdout.splitlines()[-3]
    assert done.stdout.splitlines()[-3].split()[2:] == ["(4,", "8)", "-", "30"]
    assert done.stdout.splitlines()[-1].startswith("la ejecución se detuvo: train.py:9: Runtime")
    page = (tmp_path / "shapes.html").read_text()
    assert "called at train.py:9" in page
    assert "(4, 8)" in page


def test_a_large_model_is_shown_without_weights(tmp_path):
    program = PROGRAM.replace("nn.Linear(5, 8), nn.Linear(8, 3)", "nn.Linear(5, 10**9, bias=False)")
    done = shapes(tmp_path, program.replace("net(x)", "net(x)[:, :3]"))
    assert done.returncode == 0, done.stderr
    assert "net(x)         (4, 1000000000) / (2, 1000000000)" in done.stdout
    assert "5,000,000,000 parameters" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(["--depth", "0"], "WS932"), (["--report", "no/such/folder/p.html"], "WS935")],
)
def test_bad_usage_is_one_line_and_status_2(tmp_path, arguments, code):
    done = shapes(tmp_path, PROGRAM, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"error[{code}]")


def test_a_program_that_never_makes_a_tensor_says_why(tmp_path):
    done = shapes(tmp_path, "import no_such_module\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert "no_such_module" in done.stderr
