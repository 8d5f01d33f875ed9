"""Options and fixtures that every test may use."""

import gc
import os
import re
import signal
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

# Expected output is English, whatever the locale of the machine; children inherit it.
os.environ["WELLSHAPED_LANG"] = "en"
# A shell lets what it runs in the background ignore interrupts, `nohup` lets it ignore the end of
# its terminal, and children inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
# A file that compares floats says so in one of these ways; it is run in another CPU's way too.
COMPARES_FLOATS = re.compile(
    r"\b(?:tests\.floats|torch\.(?:equal|allclose|testing)|verify\.\w*_call|contracts\.rounding)\b"
)
NO_BROWSER = "no Chromium on this machine: the HTML report is not tested"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--golden", action="store_true", help="rewrite expected output")


def pytest_collection() -> None:
    """Imports leave no garbage: looking for it again and again is a fifth of the collection."""
    gc.disable()


def pytest_collection_finish() -> None:
    """This process is ours, as that of the command is: what is loaded is searched once."""
    from wellshaped.execute import allow_search_ahead

    allow_search_ahead()
    gc.freeze()
    gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of files that compare floats (`make test-numeric`)."""
    for item in items:
        if compares_floats(item.path):
            item.add_marker(pytest.mark.numeric)


@cache
def compares_floats(path: Path) -> bool:
    return COMPARES_FLOATS.search(path.read_text(encoding="utf-8")) is not None


@pytest.fixture(scope="module")
def one_thread() -> Iterator[None]:
    """One thread for torch, and as many as before for whoever comes next."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def rewrite_golden(request: pytest.FixtureRequest) -> bool:
    """Whether a test should store what it got instead of comparing it (`make golden`)."""
    return bool(request.config.getoption("--golden"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say at the end what a machine without a browser leaves out."""
    skipped = terminalreporter.stats.get("skipped", [])
    count = sum(NO_BROWSER in str(each.longrepr) for each in skipped)
    if count:
        terminalreporter.write_line(f"{NO_BROWSER}; {count} tests were skipped")
