import numpy as np
import torch
import torch.nn as nn


def make_data(seed=21):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(128, 6)).astype(np.float32)
    demand = X @ rng.normal(size=(6, 1)).astype(np.float32)
    return X, demand


def quantile_loss(out, y, q=0.7):
    """Pinball loss."""
    diff = y - out
    return torch.maximum(q * diff, (q - 1) * diff).mean()


class DemandModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Linear(24, 1))

    def forward(self, x):
        return self.net(x).view(-1)


def get_batch(X, demand, size, rng):
    pick = rng.integers(0, len(X), size)
    return torch.from_numpy(X[pick]), torch.from_numpy(demand[pick])


torch.manual_seed(21)
X, demand = make_data()
rng = np.random.default_rng(1)
model = DemandModel()
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
for step in range(150):
    x, y = get_batch(X, demand, 32, rng)
    loss = quantile_loss(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 50 == 49:
        print("step", step + 1, "pinball", round(loss.item(), 4))
