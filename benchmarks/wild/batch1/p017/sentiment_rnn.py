import torch
import torch.nn as nn


class SentimentRNN(nn.Module):
    def __init__(self, hp):
        super().__init__()
        self.n_layers = hp.n_layers
        self.hidden_dim = hp.hidden_dim
        self.embedding = nn.Embedding(hp.vocab_size, hp.embedding_dim)
        self.lstm = nn.LSTM(hp.embedding_dim, hp.hidden_dim, hp.n_layers, batch_first=True)
        self.fc = nn.Linear(hp.hidden_dim, 1)
        self.sig = nn.Sigmoid()

    def forward(self, x, hidden):
        lstm_out, hidden = self.lstm(self.embedding(x), hidden)
        out = self.fc(lstm_out[:, -1])
        return self.sig(out).squeeze(1), hidden

    def init_hidden(self, batch_size):
        weight = next(self.parameters())
        return (weight.new_zeros(self.n_layers, batch_size, self.hidden_dim),
                weight.new_zeros(self.n_layers, batch_size, self.hidden_dim))
