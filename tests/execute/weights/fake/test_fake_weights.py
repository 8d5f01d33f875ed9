"""Programs as people write them run without weights, and meet the shapes they meet with them."""

import importlib
import logging
from pathlib import Path

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensor

from tests.execute.weights.fake.dry import SETUP, executed
from wellshaped.execute.weights.fake.fake_weights import fake_weights
from wellshaped.observe.loss_guard.watch import guard

# In each, `seen(...)` stands where a program looks at the tensors of its loss.
PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.py"))


@pytest.fixture(autouse=True, scope="module")
def _one_thread(one_thread):
    """Small models only wait for a second thread."""


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_program_runs_and_meets_the_same_shapes(program):
    text = program.read_text(encoding="utf-8")
    real, _, _ = executed(text)
    dry, _, run = executed(text, dry=True)
    assert real
    assert run.parameter_count > 0
    # A stand-in may end an early stop at another epoch: what was met must be the same.
    assert list(dict.fromkeys(dry)) == list(dict.fromkeys(real))


def test_there_are_many_programs():
    assert len(PROGRAMS) >= 22


STAND_INS = """
net = nn.Linear(4, 3)
out = net(torch.randn(6, 4))
if out.mean() < best:
    pass
best = max(best, out.max().item())
print(f"{out.sum():.2f}")
rows = out[out[:, 0] > 0]
total = torch.randn(3).sum().item()
names = ["a", "b", "c"][out[0].argmax().item()]
"""


def test_lines_that_rest_on_stand_ins_are_recorded_once():
    source = "best = 1.0\nfor _ in range(3):\n" + STAND_INS.replace("\n", "\n    ")
    _, space, run = executed(source, dry=True)
    first = SETUP.count("\n") + 3
    met = [(each.place.line - first, each.kind) for each in run.stand_ins]
    assert met == [(3, "branch"), (5, "value"), (6, "text"), (7, "size"), (9, "value")]
    assert space["rows"].shape == (3, 3)
    assert isinstance(space["best"], float)
    assert run.parameter_count == 15 * 3


def test_same_seed_gives_the_same_values():
    source = "values = nn.Linear(4, 3)(torch.ones(6, 4)).tolist()"
    assert executed(source, dry=True)[1]["values"] == executed(source, dry=True)[1]["values"]


def test_data_stays_real_and_what_it_wrote_into_does_not():
    source = """
data = torch.arange(6.0).view(2, 3)
assert data.sum().item() == 15.0 and (data * 2).max() == 10
out = nn.Linear(3, 2)(data)
table = torch.zeros(4, 2)
view = table[:2]
view.copy_(out)
"""
    _, space, run = executed(source, dry=True)
    assert type(space["data"]) is torch.Tensor
    assert isinstance(space["out"], FakeTensor)
    assert not run.unknown(space["data"])
    assert run.unknown(space["table"])
    assert run.stand_ins == ()


def test_our_own_observers_get_no_stand_in_for_a_value():
    with fake_weights() as run, guard("record") as watch:
        torch.nn.MSELoss()(torch.nn.Linear(4, 1)(torch.randn(8, 4)), torch.randn(8))
    (call,) = watch.calls
    assert (call.count, call.values) == (1, None)
    assert run.stand_ins == ()


def test_everything_is_restored_even_after_a_failure():
    owners = (
        torch, torch.nn.Parameter, torch.nn.Module, torch.jit, torch.cuda, torch.mps, torch.utils,
        torch._C._nn, torch.nn.AdaptiveLogSoftmaxWithLoss, torch.utils._device.DeviceContext,
        torch.Tensor, FakeTensor, torch.nn.functional,
    )  # fmt: skip
    before = [dict(vars(owner)) for owner in owners]
    with pytest.raises(ZeroDivisionError):
        executed("nn.Linear(2, 2)\n1 / 0", dry=True)
    assert [dict(vars(owner)) for owner in owners] == before
    assert torch._C._len_torch_function_stack() == 0
    assert torch._C._len_torch_dispatch_stack() == 0
    assert not logging.getLogger("torch._subclasses.fake_tensor").disabled
    assert type(torch.nn.Linear(2, 2).weight) is torch.nn.Parameter


WIDE = """
class Block(nn.Module):
    def __init__(self, d, wide):
        super().__init__()
        self.norm, self.att = nn.LayerNorm(d), nn.MultiheadAttention(d, 64, batch_first=True)
        self.up, self.down = nn.Linear(d, wide), nn.Parameter(torch.randn(wide, d) * 0.02)
    def forward(self, x):
        y = self.norm(x)
        x = x + self.att(y, y, y, need_weights=False)[0]
        return x + F.silu(self.up(x)) @ self.down
blocks = [Block(8192, 28672) for _ in range(30)]
model = nn.Sequential(nn.Embedding(128256, 8192), *blocks, nn.Linear(8192, 1))
opt = torch.optim.AdamW(model.parameters())
scores = model(torch.randint(0, 128256, (2, 512)))[:, -1, 0]
loss = F.binary_cross_entropy_with_logits(scores, torch.ones(2))
loss.backward()
opt.step()
seen(scores, loss)
"""


def test_a_model_that_fits_nowhere_takes_no_memory():
    resource = pytest.importorskip("resource")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    met, _, run = executed(WIDE, dry=True)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert run.parameter_count > 20e9
    assert [shape for shape, *_ in met] == [(2,), ()]
    assert grown < 500_000  # kilobytes


def test_transformers_model_from_a_config():
    transformers = importlib.import_module("transformers")  # seconds: not for the other tests
    with fake_weights() as run:
        config = transformers.LlamaConfig(
            hidden_size=8192, intermediate_size=28672, num_hidden_layers=4, num_attention_heads=64,
            num_key_value_heads=8, vocab_size=1000, num_labels=1, pad_token_id=0,
        )  # fmt: skip
        model = transformers.LlamaForSequenceClassification(config)
        ids = torch.randint(1, 1000, (3, 16))
        logits = model(ids, attention_mask=torch.ones_like(ids)).logits
        logits.mean().backward()
    assert logits.shape == (3, 1)
    assert run.parameter_count > 3e9


def test_a_safetensors_file_without_weights_has_its_shapes_and_its_holes(tmp_path):
    files = importlib.import_module("safetensors.torch")
    with fake_weights():
        model = torch.nn.Linear(2**12, 2**12)
        model.register_buffer("steps", torch.tensor([3, 4]))
        tied = {**model.state_dict(), "again": model.state_dict()["weight"]}
        addresses = {name: each.untyped_storage().data_ptr() for name, each in tied.items()}
        files.save_file(model.state_dict(), tmp_path / "model.safetensors", {"format": "pt"})
        loaded = files.load_file(tmp_path / "model.safetensors")
        model.load_state_dict(loaded)
    assert addresses["weight"] == addresses["again"] != addresses["bias"]
    assert {name: tuple(each.shape) for name, each in loaded.items()} == {
        "weight": (2**12, 2**12), "bias": (2**12,), "steps": (2,)
    }  # fmt: skip
    assert loaded["steps"].tolist() == [3, 4]
    assert (tmp_path / "model.safetensors").stat().st_blocks * 512 < 2**16
