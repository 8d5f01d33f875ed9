"""Whatever fails with tensors in sight is found: what was done, where, and with which shapes.

`failures.txt` holds the programs, each under `### name | code variant | operation | line | shapes`.
"""

import contextlib
import io
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import torch

from wellshaped.pipeline.diagnosis import diagnose_exception
from wellshaped.records.shape import shape_text

RAISED = (RuntimeError, ValueError, IndexError, TypeError, KeyError, AttributeError, AssertionError)
_FILE = Path(__file__).with_name("failures.txt")


class Failing(NamedTuple):
    name: str
    fault: str
    operation: str
    line: int
    shapes: str
    text: str


def _programs() -> Iterator[Failing]:
    for part in _FILE.read_text().split("### ")[1:]:
        head, _, text = part.partition("\n")
        name, fault, operation, line, shapes = (each.strip() for each in head.split(" | "))
        yield Failing(name, fault, operation, int(line), shapes, text)


@pytest.mark.parametrize("program", list(_programs()), ids=lambda each: each.name)
@pytest.mark.filterwarnings("ignore")
def test_a_failure_is_found_with_its_tensors(program, tmp_path):
    file = tmp_path / "program.py"
    file.write_text(program.text)
    torch.manual_seed(0)
    names = {"__name__": "__main__", "__file__": str(file)}
    with pytest.raises(RAISED) as caught, contextlib.redirect_stdout(io.StringIO()):
        exec(compile(program.text, str(file), "exec"), names)
    found = diagnose_exception(caught.value)
    assert found is not None
    call = found.finding.observation
    shapes = [shape_text(each.shape).replace(" ", "") for each in call.operands if each.fact]
    seen = (
        f"{found.finding.code} {found.finding.variant}".strip(),
        call.label,
        call.passage.place.line,
    )
    assert (*seen, " ".join(shapes)) == (
        program.fault,
        program.operation,
        program.line,
        program.shapes,
    )
    assert call.error_text == str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "import torch\nsettings = {}\nx = torch.zeros(2)\nrate = settings['rate']\n",
        "import torch\nbatch = {'ids': torch.zeros(4, 6)}\nlabels = batch['labels']\n",
        "import argparse\nimport torch\nx = torch.zeros(2)\nargparse.Namespace().width\n",
        "import torch\nx = torch.zeros(2)\nwidth = int('wide')\n",
        "import torch\nx = torch.zeros(2)\nraise ValueError('no such task')\n",
        "import torch\nlayer = torch.nn.Linear(2, 3)\nx = layer.inner(torch.zeros(2))\n",
    ],
)
def test_what_has_nothing_to_do_with_a_tensor_is_not_found(text, tmp_path):
    file = tmp_path / "program.py"
    file.write_text(text)
    with pytest.raises((KeyError, AttributeError, ValueError)) as caught:
        exec(compile(text, str(file), "exec"), {"__name__": "__main__", "__file__": str(file)})
    assert diagnose_exception(caught.value) is None
