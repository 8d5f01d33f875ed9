import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class Encoder(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim, padding_idx=0)
        self.gru = nn.GRU(dim, dim, batch_first=True)

    def forward(self, src):
        lengths = (src != 0).sum(dim=1)
        packed = pack_padded_sequence(self.emb(src), lengths, batch_first=True, enforce_sorted=False)
        outputs, hidden = self.gru(packed)
        return pad_packed_sequence(outputs, batch_first=True)[0], hidden


class Decoder(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.gru = nn.GRU(2 * dim, dim, batch_first=True)
        self.key = nn.Linear(dim, dim, bias=False)
        self.out = nn.Linear(2 * dim, vocab)

    def forward(self, token, hidden, memory, mask):
        scores = torch.bmm(self.key(memory), hidden[-1].unsqueeze(2)).squeeze(2)
        weights = scores.masked_fill(mask, float("-inf")).softmax(dim=1)
        context = torch.bmm(weights.unsqueeze(1), memory)
        step, hidden = self.gru(torch.cat([self.emb(token), context], dim=2), hidden)
        return self.out(torch.cat([step, context], dim=2)).squeeze(1), hidden
