"""Programs on training frameworks: their loaders are steered, their loops are seen into."""

import hashlib
import textwrap

import pytest

from tests.repeated import few
from wellshaped.execute.forked.preload import preload
from wellshaped.execute.program import Program
from wellshaped.observe.result import Setting
from wellshaped.observe.run import observe_run
from wellshaped.observe.trace.detect import Detectors

pytestmark = pytest.mark.slow

TRANSFORMERS = """
import torch
from torch.utils.data import Dataset
from transformers import GPT2Config, GPT2ForSequenceClassification, Trainer, TrainingArguments

class Scores(Dataset):
    def __len__(self):
        return 6
    def __getitem__(self, place):
        return {"input_ids": torch.arange(1, 9), "labels": torch.tensor(0.5)}

class Regression(Trainer):
    def compute_loss(self, model, inputs, return_outputs=False, **kwargs):
        labels = inputs.pop("labels")
        outputs = model(**inputs)
        loss = torch.nn.functional.huber_loss(outputs.logits.PER_ROW, labels)
        return (loss, outputs) if return_outputs else loss

config = GPT2Config(vocab_size=20, n_embd=8, n_layer=1, n_head=2, num_labels=1, pad_token_id=0)
arguments = TrainingArguments(
    "out", per_device_train_batch_size=4, num_train_epochs=1, report_to=[], disable_tqdm=True
)
trainer = Regression(
    model=GPT2ForSequenceClassification(config), args=arguments, train_dataset=Scores()
)
trainer.train()
trainer.save_model("final")
"""
ACCELERATE = """
import torch
from accelerate import Accelerator
from torch.utils.data import DataLoader, TensorDataset

accelerator = Accelerator()
model = torch.nn.Linear(3, 1)
optimizer = torch.optim.AdamW(model.parameters())
loader = DataLoader(TensorDataset(torch.randn(7, 3), torch.randn(7)), batch_size=4)
model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
for x, y in loader:
    loss = torch.nn.functional.huber_loss(model(x).PER_ROW, y)
    accelerator.backward(loss)
    optimizer.step()
    optimizer.zero_grad()
accelerator.save_state("state")
"""
LIGHTNING = """
import lightning
import torch
from torch.utils.data import DataLoader, TensorDataset

class Net(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Linear(3, 1)
    def training_step(self, batch, place):
        x, y = batch
        return torch.nn.functional.huber_loss(self.net(x).PER_ROW, y)
    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())

data = TensorDataset(torch.randn(7, 3), torch.randn(7))
trainer = lightning.Trainer(max_epochs=1, accelerator="cpu", enable_progress_bar=False)
trainer.fit(Net(), DataLoader(data, batch_size=4))
trainer.save_checkpoint("last.ckpt")
"""
PROGRAMS = {"transformers": TRANSFORMERS, "accelerate": ACCELERATE, "lightning": LIGHTNING}


def dry(folder, monkeypatch, framework, per_row, setting):
    monkeypatch.chdir(folder)
    text = textwrap.dedent(PROGRAMS[framework]).replace("PER_ROW", per_row)
    (folder / "train.py").write_text(text)
    program = Program("train.py")
    preload(program)  # as a check does, once for all its runs
    ran = observe_run(program, setting, seconds=200, detectors=Detectors())
    assert [path.name for path in folder.iterdir()] == ["train.py"], "it left a trace"
    assert hashlib.sha256((folder / "train.py").read_bytes()).digest() == (
        hashlib.sha256(text.encode()).digest()
    )
    return ran


@pytest.mark.parametrize("weights", few(["auto", "fake"], "auto"))
@pytest.mark.parametrize("framework", PROGRAMS)
def test_a_healthy_loop_runs_to_its_end(tmp_path, monkeypatch, framework, weights):
    ran = dry(tmp_path, monkeypatch, framework, "squeeze(1)", Setting(3, weights=weights))
    assert (ran.ended, ran.error, ran.hazards) == ("ended", "", ())
    assert 4 in ran.sizes
    assert 3 in ran.batch_sizes_seen
    assert max(ran.batch_sizes_seen) == 3


@pytest.mark.parametrize("framework", PROGRAMS)
def test_a_silent_broadcast_inside_the_framework_is_found(tmp_path, monkeypatch, framework):
    ran = dry(tmp_path, monkeypatch, framework, "view(-1, 1)", Setting(3))
    assert ran.ended == "ended"
    (hazard,) = ran.hazards
    assert (hazard.loss, hazard.place.file.endswith("train.py")) == ("huber_loss", True)
