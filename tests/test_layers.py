"""The import table holds, and a breach of it is seen."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.layer_table import PAGE, table, with_table
from tests.layers import MAY_IMPORT, violations

SOURCE = Path(__file__).parents[1] / "src" / "wellshaped"
HEAVY = {"torch", "numpy", "rich", "transformers", "accelerate", "IPython", "wellshaped.cli"}


def test_source_follows_the_table():
    assert list(SOURCE.rglob("*.py")), "no source found: the check would pass without looking"
    assert violations(SOURCE) == []


@pytest.mark.parametrize(
    ("path", "code", "fault"),
    [
        ("records/shape.py", "import torch", "`records` may not import `torch`"),
        (
            "records/shape.py",
            "from wellshaped.contracts import judge",
            "`records` may not import `wellshaped.contracts.judge`",
        ),
        (
            "contracts/tables/mse.py",
            "from ...observe import guard",
            "`contracts` may not import `wellshaped.observe.guard`",
        ),
        (
            "contracts/matcher.py",
            "import torch",
            "`contracts` may import `torch` only inside a function",
        ),
        (
            "diagnose/engine.py",
            "def f():\n    from wellshaped import report",
            "`diagnose` may not import `wellshaped.report`",
        ),
        (
            "locale/catalogue.py",
            "import wellshaped.diagnose.engine",
            "`locale` may not import `wellshaped.diagnose.engine`",
        ),
        (
            "observe/guard/watch.py",
            "from wellshaped import judge",
            "`observe` may not import `wellshaped.judge`",
        ),
        ("verify/loss_call.py", "import rich.table", "`verify` may not import `rich`"),
        ("cli/train.py", "import transformers", "`cli` may not import `transformers`"),
        (
            "pipeline.py",
            "from wellshaped.train import trainer",
            "`pipeline` may not import `wellshaped.train.trainer`",
        ),
        ("nn/heads.py", "import numpy", "`nn` may not import `numpy`"),
        ("__init__.py", "from . import cli", "`__init__` may not import `wellshaped.cli`"),
        ("misc/things.py", "x = 1", "`misc` is not in the import table"),
        (
            "diagnose/faults/silent/mixed/__init__.py",
            "from wellshaped.observe.trace.lineage import Event",
            "`diagnose` may not import `wellshaped.observe.trace.lineage.Event`",
        ),
        (
            "diagnose/faults/silent/mixed/__init__.py",
            "def f():\n    import torch",
            "`diagnose` may not import `torch`",
        ),
        (
            "diagnose/faults/silent/mixed/__init__.py",
            "from .detect import DETECT",
            "`diagnose` may not import `wellshaped.diagnose.faults.silent.mixed.detect.DETECT`",
        ),
        (
            "locale/catalogue.py",
            "from wellshaped.diagnose.faults.silent.mixed import detect",
            "`locale` may not import `wellshaped.diagnose.faults.silent.mixed.detect`",
        ),
        (
            "diagnose/faults/silent/mixed/detect.py",
            "from wellshaped.diagnose.engine import diagnose",
            "`diagnose.faults.*.detect` may not import `wellshaped.diagnose.engine.diagnose`",
        ),
        (
            "diagnose/faults/silent/mixed/detect/rows.py",
            "from wellshaped.execute.loaders import Loaders",
            "`diagnose.faults.*.detect` may not import `wellshaped.execute.loaders.Loaders`",
        ),
        (
            "diagnose/edits/detect.py",
            "from wellshaped.observe.trace.lineage import Event",
            "`diagnose` may not import `wellshaped.observe.trace.lineage.Event`",
        ),
    ],
)
def test_planted_violation_is_reported(tmp_path, path, code, fault):
    _plant(tmp_path, path, code)
    line = code.count("\n") + 1
    assert violations(tmp_path) == [f"{path}:{line}: {fault}"]


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("records/shape.py", "import dataclasses\nfrom .axis import Axis"),
        ("contracts/matcher.py", "def f():\n    import torch"),
        (
            "contracts/matcher.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import torch",
        ),
        ("contracts/__init__.py", "from .matcher import match\nfrom ..records import shape"),
        ("observe/guard/watch.py", "import torch\nfrom wellshaped import contracts"),
        ("locale/catalogue.py", "from wellshaped.diagnose.faults import WS101"),
        ("train/trainer.py", "import transformers\nfrom wellshaped.nn import heads"),
        ("cli/train.py", "from wellshaped.train import trainer"),
        (
            "diagnose/faults/silent/mixed/detect.py",
            "import torch\nfrom wellshaped.observe.trace.lineage import Event\n"
            "from wellshaped.source.operands import operand\n"
            "from wellshaped.diagnose.faults.silent.mixed import Mixed",
        ),
        (
            "diagnose/faults/silent/mixed/detect/rows.py",
            "import torch\nfrom wellshaped.diagnose.faults.silent.other.detect import rows",
        ),
        ("pipeline/check.py", "from wellshaped.diagnose.faults.detect import detectors"),
    ],
)
def test_allowed_import_is_not_reported(tmp_path, path, code):
    _plant(tmp_path, path, code)
    assert violations(tmp_path) == []


def test_plain_import_loads_nothing_heavy():
    program = "import sys, wellshaped; print(*sys.modules)"
    command = [sys.executable, "-W", "error", "-c", program]
    loaded = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    assert "wellshaped" in loaded
    assert HEAVY & set(loaded) == set()


def test_the_docs_show_the_table():
    page = PAGE.read_text(encoding="utf-8")
    assert with_table(page) == page, "run `make docs`, read the diff"
    assert table() in page


def test_the_table_of_the_docs_has_a_line_for_each_layer():
    lines = table().splitlines()[2:]
    assert [line.split("`")[1] for line in lines] == list(MAY_IMPORT)
    assert all(line.split(" | ")[1].strip() for line in lines), "a layer without a docstring"


def test_another_table_in_the_docs_is_seen():
    page = PAGE.read_text(encoding="utf-8")
    other = page.replace("| `contracts` |", "| `contract` |")
    assert other != page
    assert with_table(other) == page


def test_rules_are_read_without_torch():
    program = "import sys; from wellshaped.diagnose.faults import rules; rules()\n"
    command = [sys.executable, "-W", "error", "-c", f"{program}print(*sys.modules)"]
    loaded = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    assert "wellshaped.diagnose.faults.silent.crossed_rows" in loaded
    assert [each for each in loaded if each == "torch" or each.endswith(".detect")] == []


def _plant(root: Path, path: str, code: str) -> None:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(code, encoding="utf-8")
