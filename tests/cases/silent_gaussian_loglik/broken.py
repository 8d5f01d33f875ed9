import math

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Noise(Dataset):
    """A curve whose noise grows to the right."""

    def __init__(self, n):
        g = torch.Generator().manual_seed(15)
        self.x = torch.rand(n, 1, generator=g) * 4 - 2
        noise = torch.randn(n, generator=g) * (0.1 + 0.2 * (self.x[:, 0] + 2))
        self.y = torch.sin(2 * self.x[:, 0]) + noise

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


class MeanVar(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(1, 32), nn.Tanh())
        self.mean = nn.Linear(32, 1)
        self.log_var = nn.Linear(32, 1)

    def forward(self, x):
        h = self.trunk(x)
        return self.mean(h), self.log_var(h)


def negative_log_likelihood(mean, log_var, y):
    precision = torch.exp(-log_var)
    return 0.5 * (log_var + precision * (y - mean) ** 2 + math.log(2 * math.pi)).mean()


torch.manual_seed(15)
net = MeanVar()
opt = torch.optim.Adam(net.parameters(), lr=0.02)
for epoch in range(12):
    total, seen = 0.0, 0
    for x, y in DataLoader(Noise(150), batch_size=25):
        mean, log_var = net(x)
        loss = negative_log_likelihood(mean, log_var, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total, seen = total + loss.item() * len(x), seen + len(x)
    if epoch % 4 == 3:
        print(f"epoch {epoch + 1}: nll {total / seen:.4f}")
