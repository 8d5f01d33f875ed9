import torch
import torch.nn as nn


class GRUEncoder(nn.Module):
    def __init__(self, vocab, emb=16, hid=24, bidirectional=True):
        super().__init__()
        self.embedding = nn.Embedding(vocab, emb)
        self.gru = nn.GRU(emb, hid, batch_first=True, bidirectional=bidirectional)
        self.out_features = hid

    def forward(self, x):
        out, h = self.gru(self.embedding(x))
        return torch.cat([h[-2], h[-1]], dim=1)


class IntentClassifier(nn.Module):
    def __init__(self, vocab, hid=24, n_intents=7):
        super().__init__()
        self.encoder = GRUEncoder(vocab, hid=hid)
        self.dropout = nn.Dropout(0.2)
        self.fc = nn.Linear(2 * hid, n_intents)

    def forward(self, x):
        return self.fc(self.dropout(self.encoder(x)))
