import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(3)
users, items = nn.Embedding(40, 12), nn.Embedding(60, 12)
opt = torch.optim.SGD([*users.parameters(), *items.parameters()], lr=0.1)


def score(u, v):
    return (users(u) * items(v)).sum(-1)


for step in range(4):
    u = torch.randint(0, 40, (32,))
    pos, neg = torch.randint(0, 60, (32,)), torch.randint(0, 60, (32,))
    bias = torch.zeros(32)
    diff = score(u, pos) - score(u, neg)
    target = torch.ones(32)
    loss = F.binary_cross_entropy_with_logits(diff, target)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{step}: {loss.item():.5f}")
