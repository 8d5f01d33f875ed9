import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence


class LanguageEncoder(nn.Module):
    def __init__(self, vocab, word_dim, hidden):
        super().__init__()
        self.emb = nn.Embedding(vocab, word_dim, padding_idx=0)
        self.rnn = nn.LSTM(word_dim, hidden, bidirectional=True, batch_first=True)

    def forward(self, words, lengths):
        packed = pack_padded_sequence(self.emb(words), lengths, batch_first=True, enforce_sorted=False)
        _, (h, _) = self.rnn(packed)
        return torch.cat([h[0], h[1]], dim=1)


class JointMatch(nn.Module):
    def __init__(self, vocab, word_dim, hidden, region_dim):
        super().__init__()
        self.language = LanguageEncoder(vocab, word_dim, hidden)
        self.vision = nn.Linear(region_dim, 2 * hidden)

    def forward(self, words, lengths, regions):
        query = self.language(words, lengths)
        return torch.einsum("bd,brd->br", query, torch.tanh(self.vision(regions)))
