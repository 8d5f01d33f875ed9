"""The mean of a series, compared with every target of the batch: it runs, and learns little."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
series = torch.randn(90, 1) + torch.rand(90, 1) * torch.randn(90, 10)
means = series.mean(1)

model = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
criterion = nn.MSELoss()

for epoch in range(12):
    for values, mean in DataLoader(TensorDataset(series, means), batch_size=16):
        found = model(values)
        loss = criterion(found, mean)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: loss {loss.item():.3f}")
