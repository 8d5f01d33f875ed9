"""With real weights: absent devices are the processor, nothing is compiled, models may not fit."""

import contextlib
import copy
import warnings

import pytest
import torch
from torch import nn

from wellshaped.execute.weights.real import TooLarge, real_weights
from wellshaped.observe.loss_guard.watch import guard

pytestmark = pytest.mark.skipif(torch.accelerator.is_available(), reason="its devices are there")


@pytest.fixture(autouse=True)
def _quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch tells that there is no device
        yield


PLACES = {
    "to, by name": lambda x: x.to("cuda"),
    "to, by device": lambda x: x.to(torch.device("cuda:0"), torch.float64),
    "to, by number": lambda x: x.to(1),
    "to, by keyword": lambda x: x.to(device="mps", non_blocking=True),
    "cuda": lambda x: x.cuda(non_blocking=True),
    "pinned": lambda x: x.pin_memory(),
    "made there": lambda x: torch.zeros(x.shape, device="cuda"),
    "made like another": lambda x: torch.rand_like(x, device="xpu"),
    "module": lambda x: nn.Linear(3, 2).cuda()(x),
    "module, made there": lambda x: nn.Linear(3, 2, device="cuda")(x.cuda()),
    "module, to": lambda x: nn.Linear(3, 2).to("mps", torch.float32)(x),
    "data parallel": lambda x: nn.DataParallel(nn.Linear(3, 2)).cuda()(x.cuda()),
}


@pytest.mark.parametrize("place", PLACES)
def test_what_is_sent_to_an_absent_device_stays_here(place):
    with real_weights():
        found = PLACES[place](torch.ones(4, 3))
    assert (found.device.type, len(found)) == ("cpu", 4)
    if place != "pinned":  # without the context pinning is torch's own affair
        with pytest.raises((RuntimeError, AssertionError)):
            PLACES[place](torch.ones(4, 3))


def test_a_program_made_for_cuda_runs():
    with real_weights():
        torch.cuda.set_device(0)
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        model = nn.Linear(3, 2).to("cuda:0")
        scaler = torch.amp.GradScaler("cuda")
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        generator = torch.Generator(device="cuda").manual_seed(1)
        with torch.cuda.device(0), torch.cuda.stream(torch.cuda.Stream()):
            rows = torch.rand(4, 3, device="cuda", generator=generator)
            with torch.autocast("cuda", dtype=torch.float16):
                loss = model(rows).square().mean()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        end.record()
        torch.cuda.synchronize()
        assert start.elapsed_time(end) > 0
        assert torch.cuda.memory_allocated() == 0


def test_a_program_that_insists_on_a_device_gets_past_it():
    with real_weights():
        assert torch.cuda.is_available()
        if not torch.backends.mps.is_available():
            raise AssertionError
        if not torch.cuda.is_available():
            raise SystemExit(1)
        chosen = "cuda" if torch.cuda.is_available() else "cpu"
    assert chosen == "cpu"


def test_nothing_is_compiled():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(3, 2)

        def forward(self, x):
            self.compiling = torch.compiler.is_compiling()
            return self.layer(x)

    with real_weights():
        plain = Net()
        model = torch.compile(plain, mode="max-autotune")
        assert model(torch.ones(1, 3)).shape == (1, 2)
        assert not model.compiling
        assert model._orig_mod.state_dict().keys() == {"layer.weight", "layer.bias"}
        assert list(copy.deepcopy(model).children())
        assert torch.compile(dynamic=True)(torch.sin)(torch.zeros(())) == 0


def test_a_model_that_does_not_fit_is_left_before_it_is_filled():
    filled = []

    class Big(nn.Module):
        def __init__(self):
            super().__init__()
            self.small = nn.Linear(10, 10)
            self.large = nn.Embedding(1000, 10)
            filled.append(self)

    with pytest.raises(TooLarge), real_weights(5000) as weights, contextlib.suppress(Exception):
        Big()
    assert weights.too_large
    assert not filled


def test_shared_weights_count_once():
    with real_weights(150) as weights:
        one, other = nn.Linear(10, 10, bias=False), nn.Module()
        other.weight = one.weight
    assert (weights.count, weights.too_large) == (100, False)


def test_a_hazard_counts_once_below_a_mode():
    pred, target = torch.zeros(4, 1), torch.zeros(4)
    with guard("record") as watch, real_weights():
        for _ in range(3):
            nn.functional.mse_loss(pred, target)
    (call,) = watch.calls
    assert call.count == 3
