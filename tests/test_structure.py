"""The house keeps its shape: each rule holds but for what is listed here, and a breach is seen.

A list or a count may only shrink. A new entry fails, and so does one that is no longer true:
whoever mends one takes it off the list.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.structure import (
    crowded_folders,
    deep_imports,
    doubled_names,
    loss_lists,
    shared_prefixes,
    string_imports,
)
from wellshaped.contracts.registry import MODULES, ROWS

SOURCE = Path(__file__).parents[1] / "src" / "wellshaped"

CROWDED: set[str] = set()
PREFIXES = {"diagnose/faults/values/one_", "locale/english_"}
DOUBLED = 17
DEEP: dict[str, int] = {
    "batch": 8,
    "contracts": 53,
    "diagnose": 14,
    "execute": 32,
    "files": 14,
    "integrations": 7,
    "locale": 3,
    "nn": 1,
    "notebook": 12,
    "observe": 20,
    "pipeline": 30,
    "report": 40,
    "source": 48,
    "train": 21,
    "verify": 6,
}
BY_STRING: set[str] = set()


def test_a_folder_has_twenty_modules_at_most():
    assert crowded_folders(SOURCE) == CROWDED


def test_three_files_with_one_prefix_are_a_folder():
    assert shared_prefixes(SOURCE) == PREFIXES


def test_nothing_of_ours_is_imported_by_string():
    assert string_imports(SOURCE) == BY_STRING


def test_a_public_name_has_one_home():
    found = doubled_names(SOURCE)
    listed = "\n".join(f"{name}: {', '.join(homes)}" for name, homes in sorted(found.items()))
    assert len(found) == DOUBLED, f"the count may only fall; {len(found)} have several:\n{listed}"


def test_from_outside_a_stage_is_imported_by_its_package_name():
    assert deep_imports(SOURCE) == DEEP, "the count of deep imports may only fall"


def test_only_contracts_list_losses():
    assert loss_lists(SOURCE, {*ROWS, *MODULES}) == []


def test_a_crowded_folder_is_seen(tmp_path):
    for number in range(20):
        _plant(tmp_path, f"observe/{chr(97 + number)}.py")
    _plant(tmp_path, "observe/__init__.py")
    assert crowded_folders(tmp_path) == set()
    other = tmp_path / "other"
    for number in range(21):
        _plant(other, f"observe/{chr(97 + number)}.py")
    assert crowded_folders(other) == {"observe"}


def test_a_shared_prefix_is_seen(tmp_path):
    for name in ("hazard.py", "hazard_rows.py", "hazard_put.py", "other_rows.py", "other_put.py"):
        _plant(tmp_path, f"observe/{name}")
    assert shared_prefixes(tmp_path) == {"observe/hazard_"}


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ('importlib.import_module("wellshaped.verify.rows")', "wellshaped.verify.rows"),
        ('import_module(f"wellshaped.{name}")', "wellshaped.{}"),
        ('__import__("wellshaped.cli")', "wellshaped.cli"),
        ('importlib.import_module(".rows", __package__)', ".rows"),
        ('HOMES = {"try_repair": "wellshaped.verify.rows"}', "wellshaped.verify.rows"),
    ],
)
def test_an_import_by_string_is_seen(tmp_path, code, text):
    _plant(tmp_path, "verify/rows.py")
    _plant(tmp_path, "pipeline/check.py", code)
    assert string_imports(tmp_path) == {f"pipeline/check.py: {text}"}


@pytest.mark.parametrize(
    "code",
    [
        'importlib.import_module("torch._dynamo")',
        "[importlib.import_module(each.name) for each in pkgutil.iter_modules(__path__)]",
        'here = frame.f_globals["__name__"] == "wellshaped.verify.rows"',
        "from wellshaped.verify import rows",
    ],
)
def test_another_import_is_none_by_string(tmp_path, code):
    _plant(tmp_path, "verify/rows.py")
    _plant(tmp_path, "pipeline/check.py", code)
    assert string_imports(tmp_path) == set()


def test_a_second_home_is_seen(tmp_path):
    _plant(tmp_path, "source/code.py", "def rows_of(): ...\ndef _own(): ...\nclass Plan: ...")
    _plant(tmp_path, "observe/batches.py", "def rows_of(): ...\ndef _own(): ...\nPlan = int")
    _plant(tmp_path, "diagnose/faults/a.py", "def diagnose(): ...")
    _plant(tmp_path, "diagnose/faults/b.py", "def diagnose(): ...")
    assert doubled_names(tmp_path) == {"rows_of": ("observe/batches.py", "source/code.py")}


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("from wellshaped.observe.trace.masks import real", {"observe": 1}),
        ("def f():\n    import wellshaped.observe.trace", {"observe": 1}),
        ('importlib.import_module("wellshaped.observe.trace.masks")', {"observe": 1}),
        ("from wellshaped.observe import observe_run", {}),
        ("from wellshaped.records.shape import TensorFact", {}),
        ("from wellshaped.verify.rows import kept", {}),
    ],
)
def test_a_deep_import_is_seen(tmp_path, code, found):
    _plant(tmp_path, "observe/trace/masks.py")
    _plant(tmp_path, "verify/loss_call.py", code)
    assert deep_imports(tmp_path) == found


@pytest.mark.parametrize(
    "code",
    [
        'A = ("nll_loss", "cross_entropy")',
        'A = frozenset(["nll_loss", "cat", "cross_entropy"])',
        'A = {"cross_entropy": "int64", "nll_loss": "int64"}',
        'A = ("nll_loss", *("cat", "cross_entropy"))',
        'A = frozenset("cat nll_loss cross_entropy".split())',
        'match name:\n    case "nll_loss" | "cross_entropy":\n        pass',
    ],
)
def test_a_list_of_losses_is_seen(tmp_path, code):
    _plant(tmp_path, "diagnose/fit/loss.py", code)
    line = 2 if code.startswith("match") else 1
    expected = f"diagnose/fit/loss.py:{line}: cross_entropy, nll_loss"
    assert loss_lists(tmp_path, ROWS) == [expected]


@pytest.mark.parametrize(
    "code",
    [
        'A = ("nll_loss", "cat")',
        'A = (Row(loss="nll_loss"), Row(loss="cross_entropy"))',
        'A = "`nll_loss` and `cross_entropy` take class numbers."',
        'A = losses(target="classes") | {"cat"}',
    ],
)
def test_what_is_no_list_of_losses_is_not_reported(tmp_path, code):
    _plant(tmp_path, "diagnose/fit/loss.py", code)
    _plant(tmp_path, "contracts/tables.py", 'A = ("nll_loss", "cross_entropy")')
    assert loss_lists(tmp_path, ROWS) == []


@pytest.mark.parametrize(
    "reader", [crowded_folders, shared_prefixes, doubled_names, deep_imports, string_imports]
)
def test_the_readers_read_the_source(reader: Callable[[Path], object]):
    assert (SOURCE / "contracts" / "registry.py").exists(), "the rules would hold without looking"
    assert not reader(SOURCE / "nowhere")


def _plant(root: Path, path: str, code: str = "") -> None:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(code, encoding="utf-8")
