import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def tides(n, seed):
    """Tide height by moon phase, wind and pressure."""
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(n, 3, generator=g)
    y = 2.0 * torch.sin(x[:, 0]) + 0.5 * x[:, 1] - x[:, 2]
    return x, y


def rmse(predicted, measured):
    return math.sqrt(((predicted - measured) ** 2).mean().item())


@torch.no_grad()
def predict(model, x):
    model.eval()
    return model(x)


torch.manual_seed(11)
train_x, train_y = tides(120, 1)
test_x, test_y = tides(50, 2)
model = nn.Sequential(nn.Linear(3, 24), nn.Tanh(), nn.Linear(24, 1))
criterion = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
loader = DataLoader(TensorDataset(train_x, train_y), batch_size=32, shuffle=True)

for epoch in range(6):
    model.train()
    for x, y in loader:
        loss = criterion(model(x), y.unsqueeze(1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    error = rmse(predict(model, test_x), test_y)
    print(f"epoch {epoch} train {loss.item():.4f} test rmse {error:.4f}")
