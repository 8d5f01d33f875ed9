"""Hooks are known to work: what they cannot see is reported, and never passes for no fault."""

import warnings

import pytest
import torch
import torch.nn.functional as F

import wellshaped
from tests import warm
from wellshaped.contracts.registry import ROWS, functional
from wellshaped.observe.loss_guard import hooks
from wellshaped.observe.loss_guard import watch as guarding
from wellshaped.observe.loss_guard.hooks import Hooks
from wellshaped.observe.run import prepare_guard
from wellshaped.records.phrase import UserError

# As Python 3.14 compiles a method: what computes annotations stands before everything else.
ANNOTATED_FIRST = """\
class _:
    def __annotate__(format):
        def inner(a):
            return {}
        return inner
    def forward(other):
        return other
    def forward(a, *, b=1):
        return a
"""


def codes() -> dict[str, object]:
    return {name: functional(name).__code__ for name in ROWS}


@pytest.fixture
def new_hooks(monkeypatch):
    """Hooks that are not made yet, in the place of those of all guards."""

    def make(probe=guarding._sees_a_broadcast):
        found = Hooks(guarding._make_hook, probe)
        monkeypatch.setattr(guarding, "_hooks", found)
        prepare_guard.cache_clear()
        return found

    return make


def test_code_is_found_by_name_and_parameters():
    def forward(a, *, b=1):
        return a

    found = hooks._code_of(compile(ANNOTATED_FIRST, "a.py", "exec"), forward.__code__)
    assert (found.co_name, found.co_firstlineno) == ("forward", 8)


def test_code_that_is_not_there_is_no_code():
    def backward(a):
        return a

    with pytest.raises(TypeError, match="backward"):
        hooks._code_of(compile(ANNOTATED_FIRST, "a.py", "exec"), backward.__code__)


def test_every_loss_is_watched(new_hooks):
    found = new_hooks()
    with wellshaped.guard():
        assert found.unwatched == ()
        assert all(
            any(isinstance(const, hooks.Hook) for const in functional(name).__code__.co_consts)
            for name in ROWS
        )


def _no_code(*_):
    raise TypeError("no code")


@pytest.mark.parametrize(
    ("name", "broken"),
    [
        ("_code_of", _no_code),
        ("_code_of", lambda module, plain: plain),
        ("_instrumented", lambda function, hook: function.__code__),
    ],
)
def test_hooks_that_see_nothing_are_refused(new_hooks, monkeypatch, name, broken):
    before = codes()
    found = new_hooks()
    monkeypatch.setattr(hooks, name, broken)
    with pytest.raises(UserError, match=r"WS943.*known silent broadcast"), wellshaped.guard():
        pass
    assert found.unwatched == tuple(ROWS)
    assert codes() == before


def test_so_are_hooks_that_are_there_and_judge_nothing(new_hooks, monkeypatch):
    before = codes()
    new_hooks()
    monkeypatch.setattr(guarding, "judge_values", lambda *_: None)
    with pytest.raises(UserError, match="WS943"), wellshaped.guard():
        pass
    assert codes() == before


def test_the_first_call_leaves_random_numbers_and_warnings_alone(new_hooks):
    new_hooks()
    before = torch.get_rng_state()
    with warnings.catch_warnings(record=True) as told, wellshaped.guard("record") as watch:
        pass
    assert torch.equal(torch.get_rng_state(), before)
    assert (told, watch.calls) == ([], ())


def test_a_loss_that_somebody_wrapped_is_listed(new_hooks, monkeypatch):
    def wrapped(name):
        return functional(name) if name != "mse_loss" else abs

    monkeypatch.setattr(hooks, "functional", wrapped)
    found = new_hooks()
    report = wellshaped.check(lambda x: F.l1_loss(x, x), torch.zeros(4, 2), (1, 2))
    assert found.unwatched == ("mse_loss",)
    (note,) = report.not_checked
    assert (note.code, note.reason.facts) == ("WS944", {"names": "`mse_loss`"})


def test_a_step_is_not_checked_by_hooks_that_see_nothing(new_hooks):
    new_hooks(probe=lambda: False)
    with pytest.raises(UserError, match="WS943"):
        wellshaped.check(lambda x: F.l1_loss(x, x), torch.zeros(4, 2))


BROKEN = """\
import sys
from wellshaped.observe.loss_guard import hooks
def broken(*_): raise TypeError("no code")
hooks._code_of = broken
from wellshaped.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.slow
@pytest.mark.parametrize(("command", "status"), [("check", 2), ("fix", 2), ("run", 3)])
def test_a_command_ends_and_names_the_reason(tmp_path, command, status):
    """`run` leaves the program its own outcome."""
    program = tmp_path / "train.py"
    program.write_text("import torch\nprint('out')\nraise SystemExit(3)\n")
    ran = warm.run(["-c", BROKEN, command, program], text=True, cwd=tmp_path)
    assert ran.returncode == status, ran.stderr
    assert ran.stdout == ("out\n" if command == "run" else "")
    assert "WS943" in ran.stderr
    assert len(ran.stderr.splitlines()) == 1
