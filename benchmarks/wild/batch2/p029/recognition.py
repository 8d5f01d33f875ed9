import torch.nn as nn

from vocabs import VOCABS

default_cfgs = {
    "crnn": {"input_shape": (1, 16, 40), "max_length": 5, "vocab": VOCABS["french"]},
}


class CRNN(nn.Module):
    def __init__(self, vocab, max_length, rnn_units=24):
        super().__init__()
        self.vocab = vocab
        self.feat = nn.Sequential(
            nn.Conv2d(1, 12, 3, padding=1), nn.ReLU(), nn.MaxPool2d((4, 2)),
            nn.Conv2d(12, 24, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d((1, max_length)))
        self.decoder = nn.LSTM(24, rnn_units, batch_first=True, bidirectional=True)
        self.linear = nn.Linear(2 * rnn_units, len(vocab) + 1)

    def forward(self, x):
        features = self.feat(x).squeeze(2).transpose(1, 2)
        out, _ = self.decoder(features)
        return self.linear(out)


def crnn(vocab=None, **kwargs):
    cfg = default_cfgs["crnn"]
    return CRNN(vocab or cfg["vocab"], cfg["max_length"], **kwargs)
