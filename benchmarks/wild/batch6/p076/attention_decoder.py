import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.attn = nn.Linear(2 * hidden, hidden)
        self.v = nn.Linear(hidden, 1, bias=False)

    def forward(self, hidden, memory, pad):
        h = hidden.unsqueeze(0).expand_as(memory)
        energy = torch.tanh(self.attn(torch.cat([h, memory], dim=2)))
        return self.v(energy).squeeze(2).masked_fill(pad, float("-inf")).softmax(dim=0)


class BahdanauDecoder(nn.Module):
    def __init__(self, vocab, embed, hidden, layers):
        super().__init__()
        self.embedding = nn.Embedding(vocab, embed)
        self.attention = Attention(hidden)
        self.gru = nn.GRU(embed + hidden, hidden, layers)
        self.out = nn.Linear(2 * hidden, vocab)

    def forward(self, word, last_hidden, memory, pad):
        weights = self.attention(last_hidden[-1], memory, pad)
        context = torch.einsum("tb,tbh->bh", weights, memory).unsqueeze(0)
        x = torch.cat([self.embedding(word).unsqueeze(0), context], dim=2)
        output, hidden = self.gru(x, last_hidden)
        return torch.cat([output, context], dim=2).squeeze(0), hidden
