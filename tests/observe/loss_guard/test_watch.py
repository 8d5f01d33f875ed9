"""The guard: every way to call a loss, every policy, and nothing left behind."""

import asyncio
import inspect
import pickle
import threading
import warnings

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.functional import mse_loss as imported_before

import wellshaped
from wellshaped import ShapeMismatch, ShapeWarning, guard
from wellshaped.contracts.registry import ROWS, functional
from wellshaped.observe.loss_guard import watch as guard_module

COLUMN, VECTOR = torch.arange(6.0).view(6, 1), torch.arange(6.0)
pytestmark = pytest.mark.filterwarnings("ignore:Using a target size")


class Mine(nn.MSELoss):
    def forward(self, prediction, target):
        return super().forward(prediction * 1.0, target)


@pytest.mark.parametrize(
    "call",
    [
        lambda: F.mse_loss(COLUMN, VECTOR),
        lambda: F.mse_loss(input=COLUMN, target=VECTOR),
        lambda: imported_before(COLUMN, VECTOR),
        lambda: nn.MSELoss()(COLUMN, VECTOR),
        lambda: Mine()(COLUMN, VECTOR),
        lambda: nn.KLDivLoss(reduction="batchmean")(COLUMN, VECTOR),
        lambda: F.margin_ranking_loss(VECTOR, VECTOR, torch.ones(1)),
    ],
)
def test_hazards_raise_however_the_loss_is_called(call):
    call()
    with guard(), pytest.raises(ShapeMismatch) as caught:
        call()
    assert isinstance(caught.value, RuntimeError)
    assert isinstance(caught.value, ValueError)
    assert "needs" in str(caught.value)
    call()


def test_message_tells_needs_got_and_blame():
    with guard(), pytest.raises(ShapeMismatch) as caught:
        F.mse_loss(COLUMN, VECTOR)
    assert str(caught.value).splitlines() == [
        "`mse_loss` accepts these shapes and does not compute the loss they ask for",
        "  needs    input (*S)  target (*S)  weight? (*S)",
        "           floating point",
        "  got      input (6, 1) float32  target (6,) float32",
        "  blame    target: is (6,) where (6, 1) is needed",
    ]
    assert caught.value.verdict.outcome == "hazard"
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda: F.cross_entropy(torch.zeros(4, 3), torch.zeros(4, 1).long()), RuntimeError),
        (lambda: F.binary_cross_entropy(COLUMN / 9, VECTOR / 9), ValueError),
        (lambda: nn.CrossEntropyLoss()(torch.zeros(4, 3), torch.zeros(5).long()), ValueError),
        (lambda: F.mse_loss(torch.zeros(2), torch.zeros(3)), RuntimeError),
        (
            lambda: nn.AdaptiveLogSoftmaxWithLoss(4, 3, [1])(
                torch.zeros(2, 4), torch.zeros(3).long()
            ),
            RuntimeError,
        ),
    ],
)
def test_refusals_are_torchs_own_with_a_note(call, kind):
    with pytest.raises(kind) as plain:
        call()
    with guard(), pytest.raises(kind) as guarded:
        call()
    assert type(guarded.value) is type(plain.value)
    assert str(guarded.value) == str(plain.value)
    assert any("needs" in note for note in guarded.value.__notes__)


def test_values_and_gradients_are_untouched():
    target = torch.tensor([0, 2, 1])
    losses = []
    for guarded in (False, True):
        logits = torch.linspace(-1, 1, 9).view(3, 3).requires_grad_()
        if guarded:
            with guard():
                loss = F.cross_entropy(logits, target, weight=torch.tensor([1.0, 2.0, 3.0]))
        else:
            loss = F.cross_entropy(logits, target, weight=torch.tensor([1.0, 2.0, 3.0]))
        loss.backward()
        losses.append((loss.item(), logits.grad))
    assert losses[0][0] == losses[1][0]
    assert torch.equal(losses[0][1], losses[1][1])


def test_l1_keeps_its_weight():
    weight = torch.tensor([1.0, 0.0])
    pair = torch.tensor([1.0, 5.0]), torch.zeros(2)
    plain = F.l1_loss(*pair, weight=weight)
    with guard():
        assert torch.equal(F.l1_loss(*pair, weight=weight), plain)


def test_warn_points_at_the_users_line_once():
    with warnings.catch_warnings(record=True) as caught, guard("warn"):
        warnings.simplefilter("always")
        for _ in range(3):
            F.mse_loss(COLUMN, VECTOR)
    ours = [each for each in caught if each.category is ShapeWarning]
    assert len(ours) == 1
    assert ours[0].filename == __file__
    assert (
        "mse_loss(COLUMN"
        in inspect.getsourcelines(test_warn_points_at_the_users_line_once)[0][
            ours[0].lineno - inspect.getsourcelines(test_warn_points_at_the_users_line_once)[1]
        ]
    )


def test_record_counts_each_place_once():
    loss = nn.L1Loss()
    with guard(on_hazard="record") as seen:
        for _ in range(4):
            loss(COLUMN, VECTOR)
        F.l1_loss(COLUMN, VECTOR)
        F.l1_loss(COLUMN, COLUMN)
    assert [call.count for call in seen.calls] == [4, 1]
    assert {call.place.file for call in seen.calls} == {__file__}
    assert seen.calls[0].place.function == "test_record_counts_each_place_once"


def test_a_place_is_examined_once_however_often_it_is_met(monkeypatch):
    examined = []
    own = guard_module._examined
    monkeypatch.setattr(
        guard_module, "_examined", lambda call, held: examined.append(call) or own(call, held)
    )
    with guard(on_hazard="record") as seen:
        for _ in range(50):
            F.l1_loss(COLUMN, VECTOR)
    assert [call.count for call in seen.calls] == [50]
    assert len(examined) == 1


def test_nothing_is_left_behind():
    before = {name: functional(name).__code__ for name in ROWS}
    attributes = {name: dict(vars(functional(name))) for name in ROWS}

    @guard()
    @guard("warn")
    def fail():
        assert functional("mse_loss").__code__ is not before["mse_loss"]
        assert "beta" in inspect.signature(F.smooth_l1_loss).parameters
        raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert {name: functional(name).__code__ for name in ROWS} == before
    assert {name: dict(vars(functional(name))) for name in ROWS} == attributes


def test_the_innermost_guard_decides():
    with guard("raise"):
        with guard("record") as inner:
            F.mse_loss(COLUMN, VECTOR)
        assert len(inner.calls) == 1
        with pytest.raises(ShapeMismatch):
            F.mse_loss(COLUMN, VECTOR)


def test_one_guard_may_be_entered_again():
    seen = guard("record")
    with seen, seen:
        F.mse_loss(COLUMN, VECTOR)
    with seen:
        F.mse_loss(COLUMN, VECTOR)
    assert sum(call.count for call in seen.calls) == 2


def test_usable_as_a_decorator():
    @guard()
    def step():
        return F.mse_loss(COLUMN, VECTOR)

    with pytest.raises(ShapeMismatch):
        step()


def test_threads_are_independent():
    inside, outside, failures = threading.Barrier(2), [], []

    def guarded():
        with guard():
            inside.wait()
            for _ in range(200):
                with pytest.raises(ShapeMismatch):
                    F.mse_loss(COLUMN, VECTOR)
            inside.wait()

    def free():
        inside.wait()
        for _ in range(200):
            outside.append(F.mse_loss(COLUMN, VECTOR))
        inside.wait()

    def caught(run):
        try:
            run()
        except BaseException as error:
            failures.append(error)
            inside.abort()

    threads = [threading.Thread(target=caught, args=(run,)) for run in (guarded, free)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert len(outside) == 200


def test_tasks_are_independent():
    async def guarded():
        with guard():
            await asyncio.sleep(0)
            with pytest.raises(ShapeMismatch):
                F.mse_loss(COLUMN, VECTOR)

    async def free():
        await asyncio.sleep(0)
        return F.mse_loss(COLUMN, VECTOR)

    async def both():
        return await asyncio.gather(guarded(), free())

    assert asyncio.run(both())[1].shape == ()


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
def test_compiled_code_keeps_working(backend):
    def step(prediction, target):
        return F.huber_loss(prediction, target) + F.l1_loss(prediction, target)

    torch._dynamo.reset()
    prediction = torch.arange(4.0, requires_grad=True)
    plain = step(prediction, torch.ones(4))
    before = torch.compile(step, backend=backend)
    assert torch.equal(before(prediction, torch.ones(4)), plain)
    with guard():
        assert torch.equal(before(prediction, torch.ones(4)), plain)
        inside = torch.compile(lambda *pair: step(*pair), backend=backend, fullgraph=True)
        inside(prediction, torch.ones(4)).backward()
    assert torch.equal(inside(prediction, torch.ones(4)), plain)


def test_scripting_inside_a_guard():
    with guard(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scripted = torch.jit.script(nn.MSELoss())
    assert scripted(VECTOR, VECTOR).item() == 0


def test_vmap_and_functional_gradients():
    with guard():
        rows = torch.func.vmap(F.mse_loss)(torch.ones(5, 3), torch.zeros(5, 3))
        slope = torch.func.grad(F.mse_loss)(torch.ones(3), torch.zeros(3))
    assert rows.shape == (5,)
    assert slope.shape == (3,)


def test_linear_cross_entropy_is_met_once():
    with guard("record") as seen:
        F.linear_cross_entropy(torch.zeros(3), torch.zeros(4, 3), torch.zeros(1).long())
    assert [call.loss for call in seen.calls] == ["linear_cross_entropy"]


def test_unknown_policy_is_refused():
    with pytest.raises(ValueError, match="WS914"):
        guard(on_hazard="ignore")


def test_public_guard_is_this_one():
    assert wellshaped.guard is guard


def test_a_hazard_knows_the_rows_it_was_seen_with():
    with guard("record") as seen:
        for rows in (8, 3, 8):
            with pytest.warns(UserWarning, match="target size"):
                F.mse_loss(torch.zeros(rows, 1), torch.zeros(rows))
    (call,) = seen.calls
    assert (call.count, call.rows) == (3, {8, 3})
