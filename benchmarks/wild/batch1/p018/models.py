import torch
import torch.nn as nn


class Encoder(nn.Module):
    def __init__(self, enc, cfg):
        super().__init__()
        self.tok = nn.Embedding(cfg.vocab_size, enc.hidden_size)
        self.pos = nn.Parameter(torch.zeros(1, cfg.seq_len, enc.hidden_size))
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(enc.hidden_size, enc.num_heads, 2 * enc.hidden_size,
                                       dropout=0.0, batch_first=True)
            for _ in range(enc.num_layers))
        self.classifier = nn.Linear(enc.hidden_size, cfg.num_labels)

    def forward(self, ids):
        x = self.tok(ids) + self.pos
        hidden = [x]
        for layer in self.layers:
            x = layer(x)
            hidden.append(x)
        return self.classifier(x.mean(1)), hidden


def build_teacher(cfg):
    return Encoder(cfg.teacher, cfg)


def build_student(cfg):
    return Encoder(cfg.student, cfg)
