"""Options and fixtures that every test may use."""

import os
import signal

import pytest

# Expected output is English, whatever the locale of the machine; children inherit it.
os.environ["WELLSHAPED_LANG"] = "en"
# A shell lets what it runs in the background ignore interrupts, and children inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--golden", action="store_true", help="rewrite expected output")


@pytest.fixture
def rewrite_golden(request: pytest.FixtureRequest) -> bool:
    """Whether a test should store what it got instead of comparing it (`make golden`)."""
    return bool(request.config.getoption("--golden"))
