"""Proof at the call: right repairs hold at every batch size, popular wrong ones do not."""

import pytest

from wellshaped.records.observation import Observation, Operand
from wellshaped.records.repair import Change, Repair
from wellshaped.records.shape import TensorFact
from wellshaped.records.source import Passage, Place
from wellshaped.verify.loss_call import batch_sizes, shrunk, try_repair

NOWHERE = Passage(Place("x.py", 1, ""))


def call(loss, *operands, **options):
    facts = tuple(Operand(role, TensorFact(shape, dtype)) for role, shape, dtype in operands)
    return Observation("loss", loss, loss, NOWHERE, facts, options, error_type="RuntimeError")


MSE = call("mse_loss", ("input", (8, 1), "float32"), ("target", (8,), "float32"))
CLASSES = call("cross_entropy", ("input", (8, 5), "float32"), ("target", (8, 1), "int64"))
COARSE = call("mse_loss", ("input", (8, 1), "bfloat16"), ("target", (8,), "bfloat16"))
WORDS = call("cross_entropy", ("input", (8, 7, 5), "float32"), ("target", (8, 7), "int64"))


def repair(**changes):
    return Repair("", changes=tuple(Change(role, suffix) for role, suffix in changes.items()))


@pytest.mark.parametrize(
    ("observation", "changes"),
    [
        (MSE, {"target": ".unsqueeze(1)"}),
        (MSE, {"input": ".squeeze(1)"}),
        (COARSE, {"input": ".squeeze(1)"}),
        (CLASSES, {"target": ".squeeze(1)"}),
        (WORDS, {"input": ".transpose(1, 2)"}),
        (WORDS, {"input": ".flatten(0, 1)", "target": ".flatten()"}),
    ],
)
def test_right_repairs_are_proven(observation, changes):
    evidence = try_repair(observation, repair(**changes))
    assert evidence.proven
    assert {trial.batch for trial in evidence.trials} >= {1, 8}


@pytest.mark.parametrize(
    ("observation", "changes", "right", "holds"),
    [
        (MSE, {"input": ".squeeze()"}, {"input": ".squeeze(1)"}, {2, 3, 8}),
        (MSE, {"target": ".expand_as(input)"}, {"input": ".squeeze(1)"}, {1}),
        (MSE, {"input": ".flip(0).squeeze(1)"}, {"input": ".squeeze(1)"}, {1}),
        (COARSE, {"input": ".flip(0).squeeze(1)"}, {"input": ".squeeze(1)"}, {1}),
        (MSE, {"input": ".mean().expand(len(x))"}, {"input": ".squeeze(1)"}, {1}),
        (CLASSES, {"target": ".squeeze()"}, {"target": ".squeeze(1)"}, {2, 3, 8}),
        (WORDS, {"input": ".reshape(len(x), 5, 7)"}, {"input": ".transpose(1, 2)"}, set()),
        (WORDS, {"target": ".float()"}, {"input": ".transpose(1, 2)"}, set()),
    ],
)
def test_wrong_repairs_break_somewhere(observation, changes, right, holds):
    changes = {role: text.replace("len(x)", "x.shape[0]") for role, text in changes.items()}
    evidence = try_repair(observation, repair(**changes), reference=repair(**right))
    assert not evidence.proven
    assert {t.batch for t in evidence.trials} - set(evidence.breaks_at) == holds


def test_sizes_equal_no_other_axis():
    crowded = call("mse_loss", ("input", (8, 2), "float32"), ("target", (8, 3), "float32"))
    assert batch_sizes(crowded) == (1, 4, 5, 8)


def test_long_axes_are_cut_short_and_stay_apart():
    wide = call(
        "cross_entropy",
        ("input", (8, 600, 224, 224), "float32"),
        ("target", (8, 224, 224), "int64"),
    )
    small = shrunk(wide)
    classes, height, width = small.operands[0].shape[1:]
    assert small.operands[0].shape[0] == 8
    assert height == width == small.operands[1].shape[1] != classes
    assert max(classes, height) < 20


def test_weights_and_ignored_rows_count_in_the_reference():
    weighted = call(
        "cross_entropy",
        ("input", (6, 3), "float32"),
        ("target", (6, 1), "int64"),
        ("weight", (3,), "float32"),
        ignore_index=1,
    )
    assert try_repair(weighted, repair(target=".squeeze(1)")).proven
