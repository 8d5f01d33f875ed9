import lightning as L
import torch
import torch.nn as nn
import torch.nn.functional as F

from attention import SelfAttention


class DialogueActClassifier(L.LightningModule):
    def __init__(self, config):
        super().__init__()
        self.config = config
        hidden = config["hidden_size"]
        self.embed = nn.Embedding(config["vocab_size"], config["embed_dim"])
        self.rnn = nn.GRU(config["embed_dim"], hidden, batch_first=True, bidirectional=True)
        self.attention = SelfAttention(2 * hidden, config["attention_hops"])
        self.classifier = nn.Linear(2 * hidden * config["attention_hops"], config["num_classes"])
        self.history, self._train, self._val = [], [], []

    def forward(self, batch):
        states, _ = self.rnn(self.embed(batch["input_ids"]))
        return self.classifier(self.attention(states))

    def training_step(self, batch, batch_idx):
        loss = F.cross_entropy(self(batch), batch["label"])
        self._train.append(loss.item())
        return loss

    def validation_step(self, batch, batch_idx):
        logits = self(batch)
        loss = F.cross_entropy(logits, batch["label"])
        hits = (logits.argmax(dim=1) == batch["label"]).sum().item()
        self._val.append((loss.item() * len(logits), hits, len(logits)))

    def on_train_epoch_end(self):
        losses, hits, counts = zip(*self._val)
        n = sum(counts)
        self.history.append((sum(self._train) / len(self._train), sum(losses) / n, sum(hits) / n))
        self._train, self._val = [], []

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=self.config["lr"])
