import lightning as L
import torch
import torch.nn.functional as F
from torch import nn

from gather import ResultBuffer


class LitLeaf(L.LightningModule):
    def __init__(self, hp):
        super().__init__()
        self.hp = hp
        self.net = nn.Sequential(nn.Linear(hp.n_features, hp.hidden), nn.ReLU(),
                                 nn.Linear(hp.hidden, hp.n_classes))
        self.results = ResultBuffer()
        self.history = []

    def forward(self, x):
        return self.net(x)

    def training_step(self, batch, batch_idx):
        x, y = batch
        return F.cross_entropy(self(x), y)

    def validation_step(self, batch, batch_idx):
        x, y = batch
        logits = self(x)
        self.results.add(loss=F.cross_entropy(logits, y, reduction="none"), pred=logits.argmax(1))

    def on_validation_epoch_end(self):
        merged = self.results.merge()
        loss = merged["loss"].flatten()
        self.history.append({"loss": loss.mean().item(), "hardest": int(loss.argmax())})
        self.results.clear()

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=self.hp.lr)
