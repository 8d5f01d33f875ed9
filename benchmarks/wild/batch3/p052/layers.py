import torch
from torch import nn


class FocusEncoder(nn.Module):
    def __init__(self, n_words, embed_size, hidden_size):
        super().__init__()
        self.embed = nn.Embedding(n_words, embed_size)
        self.rnn = nn.GRU(embed_size + 1, hidden_size, bidirectional=True, batch_first=True)

    def forward(self, ids, focus):
        x = torch.cat([self.embed(ids), focus.unsqueeze(-1)], -1)
        return self.rnn(x)[0]


class AttentionDecoder(nn.Module):
    def __init__(self, n_words, embed_size, memory_size, hidden_size):
        super().__init__()
        self.embed = nn.Embedding(n_words, embed_size)
        self.bridge = nn.Linear(memory_size, hidden_size)
        self.query = nn.Linear(hidden_size, memory_size)
        self.cell = nn.GRUCell(embed_size + hidden_size, hidden_size)
        self.out = nn.Linear(hidden_size, n_words)

    def init_state(self, memory):
        return torch.tanh(self.bridge(memory.mean(1)))

    def forward(self, word, state, memory):
        score = torch.bmm(memory, self.query(state).unsqueeze(-1))
        context = (score.softmax(1) * memory).sum(1)
        state = self.cell(torch.cat([self.embed(word), context], -1), state)
        return self.out(state).log_softmax(-1), state
