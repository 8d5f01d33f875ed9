"""`pytest --wellshaped`, by its entry point, in a pytest of its own."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

SUITE = """\
import sys

import pytest


def test_without_torch():
    assert "torch" not in sys.modules


def train(columns):
    import torch

    model, x, y = torch.nn.Linear(3, 1), torch.randn(8, 3), torch.randn(8)
    pred = model(x) if columns else model(x).squeeze(1)
    return torch.nn.functional.{loss}(pred, y)


@pytest.fixture
def trained():
    return train(columns=True)


def test_healthy():
    assert train(columns=False) >= 0


def test_broadcasts():
    assert train(columns=True) >= 0


def test_broadcasts_in_a_thread():
    import threading

    thread = threading.Thread(target=train, args=(True,))
    thread.start()
    thread.join()


def test_broadcasts_in_its_fixture(trained):
    assert trained >= 0


def test_broadcasts_and_then_fails():
    assert train(columns=True) < 0


def test_raises():
    import torch

    torch.nn.Linear(3, 1)(torch.zeros(8, 4))


@pytest.mark.xfail(strict=True, reason="broadcasts, and that is known")
def test_known_to_broadcast():
    train(columns=True)


def test_means_to_broadcast():
    import wellshaped

    with wellshaped.guard("record"):
        train(columns=True)


def test_skipped():
    train(columns=True)
    pytest.skip("for a reason")
"""


def run(folder: Path, installed: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rA", *options],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        timeout=120,
    )


def outcomes(text: str) -> dict[str, str]:
    """The outcome of each test, by its name or the reason for which it was skipped."""
    lines = re.findall(r"^([A-Z]+) (?:\[1\] )?test_it\.py:[:\d]+ ?([\w ]+)", text, re.MULTILINE)
    return {name.strip(): outcome for outcome, name in lines}


@pytest.mark.slow
def test_a_test_that_broadcasts_fails(tmp_path: Path, installed: Path) -> None:
    # A loss that torch itself does not warn of.
    (tmp_path / "test_it.py").write_text(SUITE.replace("{loss}", "poisson_nll_loss"))
    result = run(tmp_path, installed, "--wellshaped")
    assert result.returncode == pytest.ExitCode.TESTS_FAILED
    assert outcomes(result.stdout) == {
        "test_without_torch": "PASSED",
        "test_healthy": "PASSED",
        "test_broadcasts": "FAILED",
        "test_broadcasts_in_a_thread": "FAILED",
        "test_broadcasts_in_its_fixture": "ERROR",
        "test_broadcasts_and_then_fails": "FAILED",
        "test_raises": "FAILED",
        "test_known_to_broadcast": "XFAIL",
        "test_means_to_broadcast": "PASSED",
        "for a reason": "SKIPPED",
    }, result.stdout + result.stderr
    assert "error[WS301]: `poisson_nll_loss` compared every prediction" in result.stdout
    assert "pred.squeeze(1)" in result.stdout or "y.unsqueeze(1)" in result.stdout
    failed = result.stdout.partition("test_broadcasts_and_then_fails __")[2]
    assert "Captured wellshaped call" in failed.partition("____ test_")[0]
    raised = result.stdout.partition("____ test_raises")[2].partition("____ test_")[0]
    assert "error[WS211]" in raised


@pytest.mark.slow
def test_without_the_option_nothing_is_loaded(tmp_path: Path, installed: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        "import sys\n\n\ndef test_it(pytestconfig):\n"
        "    assert pytestconfig.pluginmanager.has_plugin('wellshaped')\n"
        "    ours = {name for name in sys.modules if name.startswith('wellshaped')}\n"
        "    assert ours == {'wellshaped', 'wellshaped.integrations',"
        " 'wellshaped.integrations.pytest_plugin'}\n"
        "    assert 'torch' not in sys.modules\n"
    )
    result = run(tmp_path, installed)
    assert result.returncode == 0, result.stdout


INCOMPLETE = """
import os
import torch
import wellshaped


def test_a_step_that_ends_the_process():
    assert wellshaped.check(lambda batch: os._exit(0), torch.zeros(4, 2))


def test_a_step_that_ends():
    assert wellshaped.check(lambda batch: batch.sum(), torch.zeros(4, 2))
"""


@pytest.mark.slow
def test_a_step_that_does_not_end_fails_its_test(tmp_path: Path, installed: Path) -> None:
    (tmp_path / "test_it.py").write_text(INCOMPLETE)
    result = run(tmp_path, installed, "--wellshaped")
    assert result.returncode == pytest.ExitCode.TESTS_FAILED
    assert outcomes(result.stdout) == {
        "test_a_step_that_ends_the_process": "FAILED",
        "test_a_step_that_ends": "PASSED",
    }, result.stdout
