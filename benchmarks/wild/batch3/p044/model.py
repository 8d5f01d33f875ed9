import torch
from torch import nn


class SentimentNet(nn.Module):
    def __init__(self, vocab_size, s):
        super().__init__()
        self.n_layers, self.hidden_dim = s.layers, s.hidden
        self.embedding = nn.Embedding(vocab_size, s.embedding)
        self.lstm = nn.LSTM(s.embedding, s.hidden, s.layers, batch_first=True)
        self.fc = nn.Linear(s.hidden, 1)

    def forward(self, x, hidden):
        out, hidden = self.lstm(self.embedding(x), hidden)
        return torch.sigmoid(self.fc(out[:, -1])).squeeze(1), hidden

    def init_hidden(self, batch_size):
        w = self.fc.weight
        return (w.new_zeros(self.n_layers, batch_size, self.hidden_dim),
                w.new_zeros(self.n_layers, batch_size, self.hidden_dim))
