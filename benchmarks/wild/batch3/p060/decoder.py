from torch import nn


class TinyDecoder(nn.Module):
    def __init__(self, n_symbols, dim):
        super().__init__()
        self.embed = nn.Embedding(n_symbols, dim)
        self.rnn = nn.GRU(dim, dim, batch_first=True)
        self.out = nn.Linear(dim, n_symbols)

    def forward(self, tokens):
        return self.out(self.rnn(self.embed(tokens))[0])
