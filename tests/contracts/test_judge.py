"""The verdicts people meet, and the calls that get a clear no."""

import pickle

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode

import wellshaped
from wellshaped import TensorFact, judge
from wellshaped.contracts.registry import ROWS

PAIR = (TensorFact((64, 1)), TensorFact((64,)))
SILENT = ("kl_div", "poisson_nll_loss", "hinge_embedding_loss", "multilabel_soft_margin_loss")
WARNING = ("l1_loss", "mse_loss", "smooth_l1_loss", "huber_loss")


@pytest.mark.parametrize("loss", SILENT + WARNING)
def test_column_against_vector_is_a_hazard(loss):
    verdict = judge(loss, *PAIR)
    assert verdict.outcome == "hazard"
    assert verdict.accepted
    assert verdict.blame is not None
    assert verdict.blame.argument == "target"
    assert verdict.output_shape == ()
    assert verdict.backward == "ok"


def test_output_shape_of_a_hazard_tells_the_broadcast():
    assert judge("mse_loss", *PAIR, reduction="none").output_shape == (64, 64)


@pytest.mark.parametrize("outcome", ["accept", "hazard", "reject"])
def test_margin_ranking_asks_for_rank_only(outcome):
    score = TensorFact((8,))
    target = {"accept": (8,), "hazard": (1,), "reject": (8, 1)}[outcome]
    assert judge("margin_ranking_loss", score, score, TensorFact(target)).outcome == outcome


@pytest.mark.parametrize("loss", ["triplet_margin_loss", "triplet_margin_with_distance_loss"])
def test_triplets_broadcast_silently(loss):
    rows, one = TensorFact((8, 4)), TensorFact((1, 4))
    assert judge(loss, rows, rows, one).outcome == "hazard"
    assert judge(loss, rows, rows, TensorFact((4,))).outcome == "reject"


def test_gaussian_documents_one_shrunk_axis():
    rows = TensorFact((64, 5))
    assert judge("gaussian_nll_loss", rows, rows, TensorFact((64, 1))).outcome == "accept"
    assert judge("gaussian_nll_loss", rows, rows, TensorFact((64,))).outcome == "accept"
    assert judge("gaussian_nll_loss", *PAIR, 1.0).outcome == "hazard"
    assert judge("gaussian_nll_loss", rows, rows, 1).outcome == "reject"  # an int is no tensor


def test_soft_margin_broadcasts_the_target_into_the_input_only():
    wide, narrow = TensorFact((8, 3)), TensorFact((3,))
    assert judge("soft_margin_loss", wide, narrow).outcome == "hazard"
    assert judge("soft_margin_loss", narrow, wide).outcome == "reject"


def test_one_sample_against_one_target_fails_on_the_way_back():
    verdict = judge("cross_entropy", TensorFact((5,)), TensorFact((1,), torch.int64))
    assert verdict.accepted
    assert verdict.backward == "raises"


@pytest.mark.parametrize(("shape", "accepted"), [((4, 3), True), ((4, 3, 2), False)])
def test_uint8_class_numbers_work_up_to_rank_two(shape, accepted):
    target = TensorFact((shape[0], *shape[2:]), "uint8")
    assert judge("cross_entropy", TensorFact(shape), target).accepted is accepted


def test_chunked_linear_cross_entropy_cuts_a_long_target():
    facts = (TensorFact((4, 8)), TensorFact((5, 8)), TensorFact((6,), "int64"))
    chunks = nn.LinearCrossEntropyOptions(batch_chunk_size=2)
    assert judge("linear_cross_entropy", *facts, options=chunks).outcome == "hazard"
    assert judge("linear_cross_entropy", *facts).outcome == "reject"


def test_blame_names_argument_and_axis():
    verdict = judge("cross_entropy", TensorFact((32, 10)), TensorFact((32, 1), "int64"))
    assert verdict.outcome == "reject"
    assert (verdict.blame.argument, verdict.blame.axis) == ("target", 1)
    assert "input (B, C, *S)  target (B, *S)" in str(verdict.needs)


def test_dtype_is_blamed_where_shapes_fit():
    verdict = judge("cross_entropy", TensorFact((32, 10)), TensorFact((32,)))
    assert (verdict.outcome, verdict.blame.argument) == ("reject", "target")
    assert "int64" in verdict.blame.reason


def test_name_functional_module_and_class_agree():
    column, vector = torch.zeros(6, 1), torch.zeros(6)
    forms = ("mse_loss", "MSELoss", F.mse_loss, nn.MSELoss(), nn.MSELoss)
    verdicts = {judge(form, column, vector) for form in forms}
    assert len(verdicts) == 1
    assert judge(nn.MSELoss(reduction="none"), column, vector).output_shape == (6, 6)


def test_a_users_subclass_is_its_parent():
    class Mine(nn.CrossEntropyLoss):
        pass

    weighted = Mine(weight=torch.ones(4))
    assert judge(weighted, torch.zeros(2, 4), torch.zeros(2).long()).outcome == "accept"
    assert judge(weighted, torch.zeros(2, 5), torch.zeros(2).long()).blame.argument == "weight"


def test_module_options_count_even_after_they_change():
    loss = nn.MSELoss()
    assert judge(loss, torch.zeros(2), torch.zeros(2)).output_shape == ()
    loss.reduction = "none"
    assert judge(loss, torch.zeros(2), torch.zeros(2)).output_shape == (2,)


@pytest.mark.parametrize(
    "module",
    [
        nn.LinearCrossEntropyLoss(8, 5, bias=True),
        nn.AdaptiveLogSoftmaxWithLoss(8, 5, [2]),
        nn.CrossEntropyLoss(),
        nn.TripletMarginWithDistanceLoss(),
    ],
    ids=lambda module: type(module).__name__,
)
def test_modules_with_parts_of_their_own(module):
    if isinstance(module, nn.TripletMarginWithDistanceLoss):
        assert judge(module, *[torch.zeros(3, 8)] * 3).outcome == "accept"
        return
    features = torch.zeros(3, 8)
    assert judge(module, features, torch.zeros(3).long()).outcome == "accept"
    assert judge(module, features, torch.zeros(4).long()).outcome == "reject"


@pytest.mark.parametrize("kind", ["real", "meta", "fake"])
def test_tensors_without_values_are_judged_alike(kind):
    with FakeTensorMode() if kind == "fake" else torch.device("meta" if kind == "meta" else "cpu"):
        column, vector = torch.zeros(6, 1), torch.zeros(6)
    assert judge("mse_loss", column, vector).outcome == "hazard"


def test_a_distance_of_the_users_own_is_judged_by_its_operands():
    def apart(x, y):
        raise AssertionError("the distance was called")

    loss = nn.TripletMarginWithDistanceLoss(distance_function=apart)
    rows, one = torch.zeros(8, 4), torch.zeros(1, 4)
    assert judge(loss, rows, rows, rows).outcome == "accept"
    assert judge(loss, rows, rows, rows).output_shape is None
    assert judge(loss, rows, rows, one).outcome == "hazard"
    assert judge(loss, rows, rows, torch.zeros(4)).outcome == "reject"


def test_never_calls_the_loss(monkeypatch):
    def fail(*_, **__):
        raise AssertionError("the loss was called")

    for name in ROWS:
        if hasattr(torch._C._nn, name):
            monkeypatch.setattr(torch._C._nn, name, fail)
    monkeypatch.setattr(torch, "margin_ranking_loss", fail)
    assert judge(F.mse_loss, torch.zeros(3), torch.zeros(3)).outcome == "accept"
    scores = torch.zeros(3)
    assert judge(F.margin_ranking_loss, scores, scores, scores).outcome == "accept"


@pytest.mark.parametrize(
    ("code", "call"),
    [
        ("WS910", lambda: judge("relu", *PAIR)),
        ("WS910", lambda: judge(F.relu, *PAIR)),
        ("WS910", lambda: judge(nn.Linear(2, 2), *PAIR)),
        ("WS910", lambda: judge(3, *PAIR)),
        ("WS911", lambda: judge("mse_loss", [1.0], PAIR[1])),
        ("WS911", lambda: TensorFact(3)),
        ("WS911", lambda: TensorFact((-1,))),
        ("WS912", lambda: judge("mse_loss", *PAIR, colour="red")),
        ("WS912", lambda: judge("mse_loss", PAIR[0])),
        ("WS912", lambda: judge("mse_loss", *PAIR, target=PAIR[1])),
        ("WS912", lambda: judge("mse_loss", *PAIR, None, None, "mean", None, "more")),
        ("WS913", lambda: judge("mse_loss", TensorFact((2,), "float8_e4m3fn"), PAIR[1])),
    ],
)
def test_bad_calls_get_a_value_error_with_a_code(code, call):
    with pytest.raises(ValueError, match=code):
        call()


def test_bad_call_survives_pickling():
    with pytest.raises(ValueError, match="WS910") as caught:
        judge("relu", *PAIR)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_equal_numbers_of_other_types_are_not_confused():
    rows = TensorFact((4, 2))
    assert judge("gaussian_nll_loss", rows, rows, 1.0).outcome == "accept"
    assert judge("gaussian_nll_loss", rows, rows, 1).outcome == "reject"
    assert judge("gaussian_nll_loss", rows, rows, 1.0).outcome == "accept"


def test_wrong_option_value_is_a_reject():
    verdict = judge("mse_loss", PAIR[0], PAIR[0], reduction="average")
    assert (verdict.outcome, verdict.blame.argument) == ("reject", "reduction")


def test_public_names():
    assert {"judge", "guard", "reconcile", "TensorFact", "ShapeMismatch"} <= set(dir(wellshaped))
    with pytest.raises(AttributeError):
        _ = wellshaped.nothing
