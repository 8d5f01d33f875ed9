import random

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

VOCAB = 64


class RewardModel(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, dim, padding_idx=0)
        self.gru = nn.GRU(dim, dim, batch_first=True)
        self.value = nn.Linear(dim, 1)

    def forward(self, tokens, lengths):
        hidden, _ = self.gru(self.embed(tokens))
        last = hidden[torch.arange(len(tokens)), lengths - 1]
        return self.value(last)


def preference_pairs(n, rnd):
    for _ in range(n):
        good = [rnd.randrange(1, 32) for _ in range(rnd.randint(3, 8))]
        bad = [rnd.randrange(32, VOCAB) for _ in range(rnd.randint(3, 8))]
        yield torch.tensor(good), torch.tensor(bad)


def to_batch(seqs):
    lengths = torch.tensor([len(s) for s in seqs])
    return pad_sequence(seqs, batch_first=True), lengths


torch.manual_seed(0)
pairs = list(preference_pairs(24, random.Random(0)))
model = RewardModel()
ranking = nn.MarginRankingLoss(margin=0.5)
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)

for epoch in range(3):
    for i in range(0, len(pairs), 8):
        chosen, rejected = zip(*pairs[i:i + 8])
        chosen_scores = model(*to_batch(chosen))
        rejected_scores = model(*to_batch(rejected))
        target = torch.ones(len(chosen))
        loss = ranking(chosen_scores, rejected_scores, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("epoch", epoch, "loss", f"{loss.item():.4f}")
