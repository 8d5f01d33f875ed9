"""What is answered about losses is what torch does."""

import warnings
from typing import Any, get_args, get_type_hints

import pytest
import torch
import torch.nn.functional as F

from wellshaped.contracts.contract import Contract, UnequalShapes
from wellshaped.contracts.judge import judge
from wellshaped.contracts.questions import WITHOUT_ROWS, losses
from wellshaped.contracts.registry import ROWS, functional
from wellshaped.records.shape import TensorFact

ELEMENTS = sorted(losses(pairs="elements"))
SCORES = sorted(losses(target="classes") - losses(takes="features"))


def test_questions_are_answered_together():
    assert losses() == set(ROWS)
    assert losses(target="classes") == {
        *("nll_loss", "cross_entropy", "multi_margin_loss", "linear_cross_entropy"),
        "adaptive_log_softmax_with_loss",
    }
    both = losses(target="classes", pairs="positions")
    assert both == losses(target="classes") & losses(pairs="positions")
    assert both == {"nll_loss", "cross_entropy", "linear_cross_entropy"}


@pytest.mark.parametrize("asked", [{"target": "class"}, {"pairs": "pixels"}, {"applies": "relu"}])
def test_unknown_answer_is_refused(asked: dict[str, Any]):
    with pytest.raises(ValueError, match=f"no loss has {next(iter(asked))}="):
        losses(**asked)


def test_unknown_question_is_refused():
    with pytest.raises(TypeError):
        losses(colour="blue")


@pytest.mark.parametrize("name", ELEMENTS)
def test_unequal_shapes_are_what_torch_does_with_them(name):
    sides: dict[str, tuple[int, ...]] = dict.fromkeys(ROWS[name].tensors, (3, 1))
    sides = {each: shape for each, shape in sides.items() if each not in WITHOUT_ROWS}
    given = {each: torch.rand(shape) for each, shape in (sides | {"target": (3,)}).items()}
    assert _unequal(name, given) == ROWS[name].unequal


def _unequal(name: str, given: dict[str, torch.Tensor]) -> UnequalShapes:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            functional(name)(**given, reduction="sum")
        except (RuntimeError, ValueError):
            return "refused"
    return "warned" if any("target size" in str(each.message) for each in caught) else "silent"


@pytest.mark.parametrize("name", sorted(losses(pairs="elements") - {"margin_ranking_loss"}))
def test_zero_when_equal_is_zero(name):
    same = torch.rand(4, 3) * 0.8 + 0.1
    extra = {"var": torch.full_like(same, 2.0)} if "var" in ROWS[name].tensors else {}
    value = functional(name)(same, same, reduction="sum", **extra)
    assert bool(value == 0) == ROWS[name].zero_when_equal


@pytest.mark.parametrize("name", SCORES)
def test_class_numbers_count_along_dim_1(name):
    scores = torch.randn(4, 3)
    functional(name)(scores, torch.tensor([0, 1, 2, 2]))
    with pytest.raises((IndexError, RuntimeError)):
        functional(name)(scores, torch.tensor([0, 1, 2, 3]))


@pytest.mark.parametrize("name", sorted(losses(target="classes")))
def test_positions_of_classes_are_accepted_by_those_that_pair_them(name):
    weights = {"linear_weight": TensorFact((5, 7, 6)), "in_features": 6, "cutoffs": [2, 5]}
    known = {each: weights[each] for each in ROWS[name].tensors if each in weights}
    if name == "adaptive_log_softmax_with_loss":
        known = {"in_features": 6, "cutoffs": [2, 5]}
    shape = (4, 6) if ROWS[name].takes == "features" else (4, 5, 7)
    verdict = judge(name, input=TensorFact(shape), target=TensorFact((4, 7), "int64"), **known)
    assert verdict.accepted == (ROWS[name].pairs == "positions")


def test_activations_are_those_that_the_losses_apply():
    scores, labels = torch.randn(4, 3), torch.tensor([0, 1, 2, 2])
    aims = torch.rand(4, 3)
    chances = scores.sigmoid()
    expected = {
        "cross_entropy": F.nll_loss(scores.log_softmax(1), labels),
        "binary_cross_entropy_with_logits": F.binary_cross_entropy(chances, aims),
        "multilabel_soft_margin_loss": F.binary_cross_entropy(chances, aims),
    }
    assert set(expected) == losses(applies="log_softmax") | losses(applies="sigmoid")
    for name, value in expected.items():
        target = labels if name in losses(target="classes") else aims
        torch.testing.assert_close(functional(name)(scores, target), value)


def test_a_loss_without_target_has_none():
    named = {row.name for row in ROWS.values() if not {"target", "targets"} & set(row.tensors)}
    assert named == losses(target="none")


def test_all_kinds_that_a_row_may_have_are_kinds_of_a_row():
    for name in ("target", "pairs", "takes", "applies", "unequal"):
        kinds = {getattr(row, name) for row in ROWS.values()} - {None}
        assert kinds == set(_literal(name)), name


def _literal(name: str) -> tuple[str, ...]:
    kind = get_type_hints(Contract)[name]
    inner = [args for args in map(get_args, get_args(kind)) if args]
    return inner[0] if inner else get_args(kind)
