import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(1)
n_users, n_items = 50, 80


class MF(nn.Module):
    def __init__(self, k=8):
        super().__init__()
        self.P = nn.Embedding(n_users, k)
        self.Q = nn.Embedding(n_items, k)

    def forward(self, u, i):
        return (self.P(u) * self.Q(i)).sum(-1)


ratings = TensorDataset(torch.randint(0, n_users, (300,)), torch.randint(0, n_items, (300,)), torch.rand(300) * 5)
model = MF()
optim = torch.optim.Adagrad(model.parameters(), lr=0.05)
for epoch in range(2):
    running = 0.0
    for u, i, r in DataLoader(ratings, batch_size=64):
        optim.zero_grad()
        loss = nn.functional.mse_loss(model(u, i), r)
        loss.backward()
        optim.step()
        running += loss.item() * len(r)
    print(epoch, round(running / 300, 4))
