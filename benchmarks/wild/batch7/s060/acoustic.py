from torch import nn


class AcousticModel(nn.Module):
    def __init__(self, n_feats, n_chars, dim=24):
        super().__init__()
        self.rnn = nn.GRU(n_feats, dim, batch_first=True)
        self.out = nn.Linear(dim, n_chars)

    def forward(self, feats):
        return self.out(self.rnn(feats)[0])
