"""A dry run begins where the kernel confines the program, or where the user does without."""

import subprocess
import sys

import pytest

from wellshaped.execute.sandbox.kernel import confinement
from wellshaped.records.phrase import UserError


def test_no_program_is_run_where_the_kernel_cannot_confine_it(monkeypatch):
    monkeypatch.setattr(confinement, "can_confine", lambda: False)
    with pytest.raises(UserError, match="WS941: Landlock"):
        confinement.must_be_confined()
    with confinement.landlocked(False):
        confinement.must_be_confined()
    assert confinement.is_landlocked()


# A process of its own: what a sandbox changes stays changed.
NOT_CONFINED = """
import sys
from pathlib import Path
from wellshaped.execute.sandbox import enter
from wellshaped.records.phrase import UserError

enter.deny_writes_outside = lambda *_: False
try:
    with enter.sandboxed(Path(sys.argv[1])):
        print("the program was begun")
except UserError as error:
    print(error.code)
"""


def test_a_child_that_is_not_confined_after_all_ends_before_the_program(tmp_path):
    command = [sys.executable, "-c", NOT_CONFINED, str(tmp_path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert done.stdout == "WS941\n"
