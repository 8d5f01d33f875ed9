"""The search of `fix` ends by the CPU time of the tries it looked at, not by the time of day."""

import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from wellshaped.execute.program import Program
from wellshaped.observe.result import RunResult, Setting
from wellshaped.pipeline import fix as fixing
from wellshaped.pipeline.check import Outcome
from wellshaped.records.check import Report

RAISED = SimpleNamespace(observation=SimpleNamespace(raised=True))


def outcome(seconds):
    return Outcome(Report("a.py", (), ()), RunResult(Setting(), "ended"), seconds=seconds)


@pytest.fixture
def search():
    first = outcome(2.0)
    return fixing.Search(Program("a.py"), Path(), 10.0, first, first, lambda _: None, used=2.0)


def tried(search, monkeypatch, outcomes):
    """The moves of a search whose candidates come to these outcomes, and their time limit."""
    limits = []

    def in_order(tasks, seconds):
        limits.append(seconds)
        yield from outcomes

    monkeypatch.setattr(fixing, "run_forked", in_order)
    found = [("a repair", {})] * len(outcomes)
    return [move.outcome.seconds for move in fixing._tried(search, None, found, [])], limits


def test_what_was_looked_at_counts(search, monkeypatch):
    monkeypatch.setattr(time, "monotonic", lambda: search.begun_at + 60.0)  # on a busy machine
    assert tried(search, monkeypatch, [outcome(1.0), outcome(3.0)])[0] == [1.0, 3.0]
    assert (search.used, search.seconds, search.spent) == (6.0, 4.0, False)


def test_what_ran_beside_it_and_was_not_needed_does_not(search, monkeypatch):
    monkeypatch.setattr(fixing, "run_forked", lambda tasks, seconds: (outcome(1.0) for _ in tasks))
    next(fixing._tried(search, None, [("a repair", {})] * 3, []))
    assert search.used == 3.0


def test_no_more_is_looked_at_when_it_is_spent(search, monkeypatch):
    assert tried(search, monkeypatch, [outcome(9.0), outcome(1.0)])[0] == [9.0]
    assert search.spent
    assert tried(search, monkeypatch, [outcome(1.0)]) == ([], [])


def test_a_try_that_had_to_be_ended_counts_as_all_that_was_left(search, monkeypatch):
    assert tried(search, monkeypatch, [None, outcome(1.0)])[0] == []
    assert (search.used, search.spent) == (10.0, True)


def test_a_search_does_not_wait_for_ever(search):
    search.begun_at -= 101.0
    assert search.spent


@pytest.mark.parametrize(("candidates", "taken"), [(1, True), (2, False)])
def test_a_repair_is_alone_only_where_every_candidate_was_run(
    search, monkeypatch, candidates, taken
):
    def judged(search, *given):
        found = given[-1]
        search.tries += bool(found)
        return ["a repair"] if found else [], []

    monkeypatch.setattr(fixing, "fault_key", lambda *_: "a fault")
    monkeypatch.setattr(
        fixing, "_candidates", lambda *given: [("a repair", {})] * candidates if given[-1] else []
    )
    monkeypatch.setattr(fixing, "_judged", judged)
    monkeypatch.setattr(fixing, "certain", lambda clean: clean[0])
    monkeypatch.setattr(fixing, "picked", lambda *_: None)
    fault = SimpleNamespace(
        diagnosis=SimpleNamespace(candidates=("some",), single_variations=(), finding=RAISED)
    )
    chain, _ = fixing._chain(search, fault, {}, None, set(), 0)
    assert bool(chain) == taken


@pytest.mark.parametrize(("once", "second"), [(True, None), (False, "a repair")])
def test_an_answer_about_one_finding_is_none_about_the_next(search, once, second, monkeypatch):
    monkeypatch.setattr(fixing, "picked", lambda picks, tried: tried[0] if picks else None)
    search.picks, search.picks_once = {"WS205": 1}, once
    assert fixing._picked_now(search, ["a repair"]) == "a repair"
    assert fixing._picked_now(search, ["a repair"]) == second
