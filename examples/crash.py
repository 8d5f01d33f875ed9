"""A reward model trained on pairs: scores are columns, the label is a vector."""

import torch
from torch import nn

torch.manual_seed(0)
reward = nn.Linear(16, 1)
ranking = nn.MarginRankingLoss(margin=0.1)
optimizer = torch.optim.SGD(reward.parameters(), lr=0.1)

for step in range(3):
    preferred, other = torch.randn(4, 16) + 0.5, torch.randn(4, 16)
    chosen, rejected = reward(preferred), reward(other)
    label = torch.ones(chosen.size(0))
    loss = ranking(chosen, rejected, label)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"step {step}: loss {loss.item():.4f}")
