"""A run that Landlock did not confine says so in every format."""

import pytest

from wellshaped.diagnose.faults import rules
from wellshaped.execute.sandbox.kernel import confinement
from wellshaped.observe.result import RunResult, Setting
from wellshaped.pipeline.check import not_checked
from wellshaped.records.check import Report, SizeRun
from wellshaped.report import summary
from wellshaped.report.formats import concise, github, machine, sarif
from wellshaped.report.web import findings

FORMATS = {
    "text": summary.render,
    "json": machine.render,
    "sarif": lambda report: sarif.render(report, rules=rules(), version="1"),
    "github": github.render,
    "concise": concise.render,
    "html": lambda report: findings.render(
        report.program, [], lang="en", version="1", report=report
    ),
}


def report() -> Report:
    notes = not_checked([RunResult(Setting(), "ended")], [SizeRun(None)])
    return Report("train.py", (), tuple(notes))


@pytest.mark.parametrize("name", FORMATS)
def test_each_format_says_that_landlock_was_not_used(name):
    assert "WS941" not in FORMATS[name](report())
    with confinement.landlocked(False):
        said = FORMATS[name](report())
    assert "WS941" in said
    assert "writes by native code were not blocked" in said
