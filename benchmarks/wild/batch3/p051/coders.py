import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, emsize, nhid, nlayers, bidirection):
        super().__init__()
        self.bidirection = bidirection
        self.rnn = nn.LSTM(emsize, nhid // (2 if bidirection else 1), nlayers,
                           bidirectional=bidirection, batch_first=True)

    def forward(self, emb):
        memory, state = self.rnn(emb)
        return memory, tuple(self.last_layer(s) for s in state)

    def last_layer(self, s):
        """(layers * directions, batch, h) -> (1, batch, directions * h)"""
        if self.bidirection:
            return torch.cat([s[-2], s[-1]], -1).unsqueeze(0)
        return s[-1:]


class Decoder(nn.Module):
    def __init__(self, emsize, nhid, nlayers, n_words):
        super().__init__()
        self.rnn = nn.LSTM(emsize, nhid, nlayers, batch_first=True)
        self.out = nn.Linear(nhid, n_words)

    def forward(self, emb, state):
        hid, state = self.rnn(emb, state)
        return self.out(hid), state
