"""A dry run begins where the kernel confines the program, or where the user does without."""

import pytest

from wellshaped.execute.sandbox import enter as sandbox
from wellshaped.execute.sandbox.kernel import confinement
from wellshaped.records.phrase import UserError


def test_no_program_is_run_where_the_kernel_cannot_confine_it(monkeypatch):
    monkeypatch.setattr(confinement, "can_confine", lambda: False)
    with pytest.raises(UserError, match="WS941: Landlock"):
        confinement.must_be_confined()
    with confinement.landlocked(False):
        confinement.must_be_confined()
    assert confinement.is_landlocked()


def test_a_child_that_is_not_confined_after_all_ends_before_the_program(monkeypatch, tmp_path):
    monkeypatch.setattr(sandbox, "deny_writes_outside", lambda *_: False)
    monkeypatch.setattr(sandbox, "rebind", lambda _: None)
    monkeypatch.setattr(sandbox, "_settle", lambda _: None)
    with pytest.raises(UserError, match="WS941"), sandbox.sandboxed(tmp_path):
        pytest.fail("the program was begun")
