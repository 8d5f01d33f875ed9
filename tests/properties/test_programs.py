"""Whatever program surrounds a loss: nothing of ours raises, and no file changes."""

import contextlib
import linecache
import os
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.properties.programs import programs
from wellshaped.diagnose.faults import rules
from wellshaped.execute.program import Program
from wellshaped.locale.language import LANGUAGES
from wellshaped.observe.loss_guard.watch import guard
from wellshaped.pipeline.check import check
from wellshaped.pipeline.explain import explain_exception, explain_hazards, explain_text
from wellshaped.pipeline.texts import check_text
from wellshaped.report.formats import concise, github, machine, sarif


@contextlib.contextmanager
def stored(data: bytes):
    """The program as a file of its own, in a folder of its own, that must stay as it is."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "train.py"
        file.write_bytes(data)
        yield file
        linecache.checkcache(str(file))
        assert os.listdir(folder) == ["train.py"]
        assert file.read_bytes() == data


@contextlib.contextmanager
def quiet():
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        yield


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs())
def test_what_a_run_shows_can_be_told_in_every_language(data):
    with stored(data) as file:
        error, texts = None, []
        with guard("record", everywhere=True) as watch, quiet():
            try:
                exec(compile(data, str(file), "exec"), {"__name__": "__main__"})
            except Exception as raised:
                error = raised
        for lang in LANGUAGES:
            found = explain_exception(error, watch.suspects, lang) if error else None
            texts += [found.text()] if found else []
            texts += [each.text() for each in explain_hazards(watch.calls, lang)]
        assert all(text.strip() for text in texts)
        assert sum(call.count for call in watch.calls) == 0 or texts


@pytest.mark.slow
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(data=programs())
def test_a_check_ends_and_can_be_told_in_every_form(data):
    with stored(data) as file:
        outcome = check(Program(str(file)), budget=60)
        assert outcome.own.ended in ("ended", "raised"), outcome.own.error
        report = outcome.report
        for module in (machine, concise, github):
            module.render(report)
        assert sarif.render(report, rules=rules(), version="0")
        for lang in LANGUAGES:
            assert check_text(report, sys.stdout, lang)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200), st.integers(0, 3))
def test_any_text_can_be_explained(text, lines):
    found = explain_text("\n".join([*["Traceback (most recent call last):"] * lines, text]))
    assert found.text()
