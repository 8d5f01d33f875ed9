"""A search for repairs ends with what was verified, what was written and what is left."""

from dataclasses import replace

import pytest

from tests.report.formats.test_fixes import FIXED, mended
from wellshaped.records.fix import Applied, FixResult, WrittenFile
from wellshaped.report.formats import fixes
from wellshaped.report.summary import render_series

SAFE = mended()
UNSAFE = replace(
    SAFE,
    proposal=replace(SAFE.proposal, repair=replace(SAFE.proposal.repair, level="changes results")),
)
LEFT = FIXED.left


@pytest.mark.parametrize(
    ("repairs", "left", "applied", "text"),
    [
        ((), (), None, "nothing to repair"),
        ((SAFE, SAFE), (), None, "2 fixes verified, nothing written (use `--apply`)"),
        ((SAFE,), (), Applied(1, (WrittenFile("train.py"),)), "1 fix written to train.py"),
        (
            (SAFE, SAFE),
            (),
            Applied(2, (WrittenFile("net.py"), WrittenFile("tr\x1b[2Jain.py"))),
            "2 fixes written to net.py, tr\\x1b[2Jain.py",
        ),
        (
            (UNSAFE,),
            (),
            None,
            "1 fix verified, nothing written: it changes results (use `--apply --unsafe`)",
        ),
        (
            (SAFE, UNSAFE),
            (),
            None,
            "2 fixes verified, nothing written (use `--apply`); "
            "1 of them only with `--unsafe`, because results change",
        ),
        (
            (SAFE, UNSAFE),
            (),
            Applied(1, (WrittenFile("train.py"),)),
            "1 fix written to train.py; 1 not written: it changes results (use `--unsafe`)",
        ),
        (
            (UNSAFE,),
            (),
            Applied(0),
            "1 fix verified, nothing written: it changes results (use `--unsafe`)",
        ),
        ((UNSAFE,), (), Applied(0, failed=True), "1 fix verified, nothing written"),
        (
            (SAFE, SAFE),
            LEFT,
            None,
            "2 fixes verified, nothing written (use `--apply`); no fix found for 1 of 3 findings",
        ),
        ((), LEFT, Applied(0), "no fix found for 1 of 1 findings"),
    ],
)
def test_the_last_line_says_what_was_done(repairs, left, applied, text):
    fixed = FixResult(FIXED.report, repairs, left, applied=applied)
    assert render_series(fixed) == f"{text}\n"
    written = applied.count if applied else 0
    assert fixes.to_dict(fixed)["fixes"]["written"] == written
