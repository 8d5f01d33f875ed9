"""`pytest --wellshaped`: a test whose code broadcasts in a loss fails, and says where.

pytest loads this file by its entry point, wanted or not: without the option it does nothing, and
nothing of ours is loaded.
"""

from __future__ import annotations

import sys
from collections.abc import Generator
from typing import Any

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """The one option."""
    parser.getgroup("wellshaped").addoption(
        "--wellshaped",
        action="store_true",
        help="fail each test whose losses compute something else than was asked for",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Watch, if that was asked for."""
    if config.getoption("wellshaped"):
        config.pluginmanager.register(_Watching(), "wellshaped-watching")


class _Watching:
    """Judges the losses of every test, of its fixtures too, from torch's import on."""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, Any, Any]:
        return (yield from _watched(item, "setup"))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, Any, Any]:
        return (yield from _watched(item, "call"))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Generator[None, Any, Any]:
        return (yield from _watched(item, "teardown"))


def _watched(item: pytest.Item, when: str) -> Generator[None, Any, Any]:
    from wellshaped.integrations.loss_watch import loss_watch

    watch = loss_watch()
    watch.start()
    try:
        result = yield
    except Exception as error:  # whatever a test fails with may be explained, and goes on
        text = _told(error, watch.suspects)
        if text:
            item.add_report_section(when, "wellshaped", text)
        raise
    finally:
        calls = watch.stop()
    text = _told(None, calls)
    if text:
        pytest.fail(text, pytrace=False)
    return result


def _told(error: Exception | None, calls: tuple[Any, ...]) -> str:
    """What there is to say of a failure, or else of the losses; empty where there is nothing."""
    if "torch" not in sys.modules or (error is None and not calls):
        return ""
    from wellshaped.pipeline.explain import explain_exception, explain_hazards

    try:
        found = explain_exception(error, calls) if error is not None else None
        return "\n\n".join(map(str, [found] if found else explain_hazards(calls)))
    except Exception as failure:  # the test's own outcome stands
        return f"wellshaped: could not explain (internal error: {type(failure).__name__})"
