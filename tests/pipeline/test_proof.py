"""When an edited program counts as right."""

from dataclasses import replace

import pytest

from wellshaped.execute.instrument import Statement
from wellshaped.observe.result import RunResult, Setting, Unreached
from wellshaped.observe.trace.gradients import Reach
from wellshaped.pipeline.check import Outcome
from wellshaped.pipeline.proof import fault_key, gets_further, judge_repair, sizes_of, still_fails
from wellshaped.records.check import Checked, Report, SizeRun, Swept
from wellshaped.records.diagnosis import Diagnosis, Proposal
from wellshaped.records.evidence import Evidence, Trial
from wellshaped.records.finding import Finding
from wellshaped.records.fix import Size
from wellshaped.records.observation import Observation, Operand
from wellshaped.records.repair import Change, Repair
from wellshaped.records.shape import TensorFact
from wellshaped.records.source import Passage, Place

TRAINED = Reach(frozenset({"Linear.weight 1", "Linear.bias 1"}), known=2, ran=True)


def fault(code="WS101", line=3, fails=(1,), holds=()):
    operands = (Operand("input", TensorFact((8, 1))), Operand("target", TensorFact((8,))))
    where = Passage(Place("a.py", line, ""))
    seen = Observation("loss", "mse_loss", "MSELoss", where, operands, error_type="RuntimeError")
    return Checked(Diagnosis(Finding(code, "x", "error", seen)), Swept(fails, holds))


def outcome(*faults, gradients=TRAINED, failure="", met=(), runs=(), completed=None):
    ran = replace(RunResult(Setting(), "ended"), gradients=gradients)
    return Outcome(Report("a.py", faults, (), runs=runs), ran, failure, met, completed or {})


def clean(was, now, *, proven=False):
    files = {"a.py": ("x\n" * 9, "x\n" * 9)}
    before = {fault_key(each, files) for each in was.report.findings}
    return judge_repair(fault(), was, now, before, files, proven)


def test_the_fault_is_gone_and_no_other_came():
    assert clean(outcome(fault()), outcome()).clean
    assert not clean(outcome(fault()), outcome(fault())).clean
    assert not clean(outcome(fault()), outcome(failure="KeyError: x")).clean


def test_a_run_that_left_nothing_proves_nothing():
    died = outcome(runs=(SizeRun(None, ended="died"),))
    assert not clean(outcome(fault()), died).clean
    late = outcome(runs=(SizeRun(None), SizeRun(1, ended="late")))
    assert not clean(outcome(fault()), late).clean
    assert clean(outcome(fault(), runs=(SizeRun(None, ended="died"),)), died).clean


def test_a_failure_that_is_not_settled_proves_nothing():
    now = outcome()
    unsettled = replace(now, own=replace(now.own, ended="late", unsettled=True))
    assert not clean(outcome(fault()), unsettled, proven=True).clean


def test_a_fault_that_was_there_before_may_stay_and_a_new_one_is_told():
    other = fault("WS301", 7)
    assert clean(outcome(fault(), other), outcome(other)).clean
    found = clean(outcome(fault()), outcome(other))
    assert (found.clean, found.fresh) == (False, (other,))


def test_a_fault_keeps_its_line_when_lines_are_added_before_it():
    before = "".join(f"line {n}\n" for n in range(9))
    files = {"a.py": (before, "new\nnew\n" + before)}
    assert fault_key(fault(line=5), files) == fault_key(fault(line=3), {})
    assert fault_key(fault(line=1), files)[2] < 0


@pytest.mark.parametrize(
    ("was", "now", "proven", "kept"),
    [
        (TRAINED, TRAINED, False, True),
        (TRAINED, replace(TRAINED, reached=frozenset({"Linear.bias 1"})), True, False),
        (TRAINED, replace(TRAINED, finite=False), True, False),
        (replace(TRAINED, finite=False), replace(TRAINED, finite=False), True, True),
        (Reach(), TRAINED, False, True),
        (Reach(), replace(TRAINED, idle=frozenset({"Linear.bias 2"})), False, False),
        (Reach(), replace(TRAINED, idle=frozenset({"Linear.bias 2"})), True, True),
        (TRAINED, Reach(frozenset({"Conv2d.bias 1"}), known=1, ran=True), False, True),
    ],
)
def test_gradients_reach_what_they_reached(was, now, proven, kept):
    found = clean(outcome(fault(), gradients=was), outcome(gradients=now), proven=proven)
    assert found.clean is kept


def test_the_table_joins_the_program_and_the_call():
    repair = Repair("", changes=(Change("input", ".squeeze(1)"),))
    proposal = Proposal(repair, Evidence(repair, (Trial(1, "equal"), Trial(8, "equal"))))
    table = sizes_of(fault(fails=(5,), holds=(6,)), proposal, outcome(met=(5, 6)), {})
    assert table[0] == Size(1, False, True)
    assert Size(8, False, True) in table
    assert Size(5, False, True) in table
    assert Size(6, True, True) in table


def test_a_size_at_which_the_line_did_not_run_is_not_claimed():
    ran = {"a.py": ((Statement(3, 3), frozenset({5})),)}
    last = outcome(met=(5, 64), completed=ran)
    table = sizes_of(fault(fails=(5,), holds=()), Proposal(Repair("")), last, {})
    assert table == (Size(5, False, True),)


def stopped(*faults, met=(), unreached=()):
    now = outcome(*faults, met=met)
    return replace(now, own=replace(now.own, ended="raised", unreached=unreached))


def test_a_program_that_stops_again_was_not_run_at_other_sizes_and_proves_nothing_of_them():
    other = fault("WS201", 7)
    found = clean(stopped(fault(), other), stopped(other))
    assert (found.clean, found.fresh) == (False, (other,))
    at_one = replace(fault(), diagnosis=warned(fault().diagnosis))
    files = {"a.py": ("x\n" * 9, "x\n" * 9)}
    found = judge_repair(at_one, stopped(at_one, other), stopped(other), set(), files, True)
    assert (found.clean, found.fresh) == (False, ())


def warned(diagnosis):
    return replace(diagnosis, finding=replace(diagnosis.finding, severity="warning"))


def further(was, now, *, of=None):
    files = {"a.py": ("x\n" * 9, "x\n" * 9)}
    return gets_further(of or fault(), was, now, files)


def test_further_is_past_the_fault_at_every_size():
    other = fault("WS201", 7, fails=(8,))
    assert further(stopped(fault()), stopped(other))
    assert not further(stopped(fault()), stopped(other, fault(fails=(2,))))
    assert not further(stopped(fault()), replace(stopped(other), failure="KeyError: x"))


def test_further_loses_no_size_that_held():
    other = fault("WS201", 7, fails=(8,))
    was = stopped(fault(fails=(1,)), met=(1, 4))
    assert further(was, stopped(other, met=(4, 8)))
    assert not further(was, stopped(other, met=(8,)))
    assert not further(was, stopped(fault("WS201", 7, fails=(4,)), met=(4,)))


def test_further_is_not_before_the_fault_nor_in_place_of_an_end():
    other = fault("WS201", 2, fails=(8,))
    body = (Unreached("a.py", 3, 5, "forward"),)
    assert further(stopped(fault()), stopped(other))
    assert not further(stopped(fault()), stopped(other, unreached=body))
    assert not further(outcome(fault()), stopped(other))


def test_where_a_program_still_fails_is_told_by_the_stored_lines():
    files = {"a.py": ("a\nb\nc\n", "new\na\nb\nc\n")}
    code, place = still_fails(stopped(fault("WS201", 4)), files)
    assert (code, place.line) == ("WS201", 3)
    assert still_fails(outcome(), files) is None
