"""Repairs that only make shapes agree are told from those that keep rows and data."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wellshaped.records.observation import Observation, Operand
from wellshaped.records.repair import Change, Repair
from wellshaped.records.shape import TensorFact
from wellshaped.records.source import Passage, Place
from wellshaped.verify.loss_call import try_repair
from wellshaped.verify.module_call import try_module_repair

NOWHERE = Passage(Place("x.py", 1, ""))


def call(loss, *operands, kind="loss", traits=(), **options):
    facts = tuple(
        Operand(role, TensorFact(shape, dtype), traits=frozenset(traits))
        for role, shape, dtype in operands
    )
    return Observation(kind, loss, loss, NOWHERE, facts, options, error_type="RuntimeError")


def pair(shape, other, loss="mse_loss"):
    return call(loss, ("input", shape, "float32"), ("target", other, "float32"))


def outcomes(observation, **changes):
    repair = Repair("", changes=tuple(Change(role, text) for role, text in changes.items()))
    return {trial.batch: trial.outcome for trial in try_repair(observation, repair).trials}


ELEMENTWISE = ("mse_loss", "l1_loss", "smooth_l1_loss", "binary_cross_entropy_with_logits")


@settings(max_examples=40, derandomize=True, deadline=None)
@given(st.sampled_from(ELEMENTWISE), st.integers(2, 9), st.integers(2, 6))
def test_discarding_data_is_never_proven(loss, batch, width):
    """Each of these gives one number a row, equal to what the rows alone would give."""
    observation = pair((batch, width), (batch,), loss)
    for bad in ("[:, 0]", "[:, -1]", ".mean(1)", ".sum(1)", ".amax(1)", ".select(1, 0)"):
        found = outcomes(observation, input=bad)
        assert set(found.values()) == {"discards"}, (bad, found)


@settings(max_examples=40, derandomize=True, deadline=None)
@given(st.sampled_from(ELEMENTWISE), st.integers(2, 9), st.integers(2, 6))
def test_mixing_rows_is_never_proven(loss, batch, width):
    same = pair((batch, width), (batch, width), loss)
    for bad in (".flip(0)", ".roll(1, 0)", f".t().reshape(-1, {width})"):
        found = outcomes(same, input=bad)
        assert "equal" not in {found[size] for size in found if size > 1}, (bad, found)
    both = {"input": ".flip(0)", "target": ".flip(0)"}  # the loss is the same, its rows are not
    found = outcomes(same, **both)
    assert {found[size] for size in found if size > 1} == {"mixes"}


@settings(max_examples=40, derandomize=True, deadline=None)
@given(st.integers(2, 9), st.integers(2, 6))
def test_relying_on_broadcasting_is_never_proven(batch, width):
    observation = pair((batch, width), (batch,))
    found = outcomes(observation, target=f".unsqueeze(1).expand(-1, {width})")
    assert set(found.values()) == {"broadcasts"}
    found = outcomes(pair((batch, 1), (batch,)), target=".expand(x.shape[0], x.shape[0])")
    assert "equal" not in {found[size] for size in found if size > 1}


@settings(max_examples=40, derandomize=True, deadline=None)
@given(st.sampled_from(ELEMENTWISE), st.integers(1, 9), st.integers(2, 6))
def test_what_keeps_rows_and_data_is_proven(loss, batch, width):
    for observation, changes in (
        (pair((batch, 1), (batch,), loss), {"input": ".squeeze(1)"}),
        (pair((batch, 1), (batch,), loss), {"target": ".unsqueeze(1)"}),
        (pair((batch, width, 3), (batch, 3, width), loss), {"input": ".transpose(1, 2)"}),
        (pair((batch, width), (batch * width,), loss), {"input": ".flatten()"}),
    ):
        assert set(outcomes(observation, **changes).values()) == {"equal"}


def test_a_step_of_a_sequence_may_go():
    observation = pair((4, 7), (4, 6))
    assert set(outcomes(observation, input="[:, :-1]").values()) == {"equal"}
    assert set(outcomes(observation, input="[:, 1:]").values()) == {"equal"}
    assert "equal" not in outcomes(pair((4, 7), (4, 5)), input="[:, :-2]").values()


def test_class_numbers_of_a_one_hot_table_say_all_of_it():
    operands = (("input", (4, 3), "float32"), ("target", (4, 3), "int64"))
    plain, one_hot = (call("cross_entropy", *operands, traits=t) for t in ((), ("one_hot:1",)))
    assert set(outcomes(one_hot, target=".argmax(1)").values()) == {"equal"}
    assert set(outcomes(plain, target=".argmax(1)").values()) == {"discards"}


def test_rows_where_the_contract_has_them():
    """`ctc_loss` reads its rows from axis 1."""
    observation = call(
        "ctc_loss",
        *(("log_probs", (4, 9, 5), "float32"), ("targets", (4, 2), "int64")),
        *(("input_lengths", (4,), "int64"), ("target_lengths", (4,), "int64")),
    )
    found = set(outcomes(observation, log_probs=".transpose(0, 1)").values())
    assert not found & {"mixes", "discards", "broadcasts"}


@pytest.mark.parametrize("bad", ["[:, 0]", ".mean(1)", "[:, :, :3]"])
def test_a_module_gets_all_of_its_input(bad):
    observation = call(
        *("Linear", ("input", (4, 7, 5), "float32")),
        kind="module",
        in_features=3 if "3" in bad else 5,
        out_features=2,
    )
    evidence = try_module_repair(observation, Repair("", changes=(Change("input", bad),)))
    assert evidence.harmful
    assert not evidence.proven


def test_a_number_for_each_row_may_be_used_all_along_its_row():
    """It is not proven, for the loss documents one shape for all; nor is it harmful."""
    scores = (("input1", (6, 5), "float32"), ("input2", (6, 5), "float32"))
    ranking = call("margin_ranking_loss", *scores, ("target", (6,), "float32"))
    assert set(outcomes(ranking, target=".unsqueeze(1)").values()) == {"runs"}
    across = outcomes(pair((6, 1), (6,)), input=".unsqueeze(1).squeeze(1)")  # as it was
    assert {across[size] for size in across if size > 1} == {"broadcasts"}
