"""Pairs of answers, with rewards in columns and the sign of each pair in a vector."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
chosen_texts, rejected_texts = torch.randint(8, 30, (90, 10)), torch.randint(1, 23, (90, 10))

words, head = nn.Embedding(30, 16), nn.Linear(16, 1)
optimizer = torch.optim.Adam([*words.parameters(), *head.parameters()], lr=0.02)
criterion = nn.MarginRankingLoss(margin=1.0)

for epoch in range(6):
    for better, worse in DataLoader(TensorDataset(chosen_texts, rejected_texts), batch_size=16):
        chosen = head(words(better).mean(1))
        rejected = head(words(worse).mean(1))
        loss = criterion(chosen, rejected, torch.ones(len(better)))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: loss {loss.item():.3f}")
