import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(33)
train_x = torch.rand(90, 2) * 2 - 1
train_y = (train_x[:, 0] ** 2 + train_x[:, 1]).round(decimals=3)
model = nn.Sequential(nn.Linear(2, 24), nn.ReLU(), nn.Linear(24, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
loader = DataLoader(TensorDataset(train_x, train_y), batch_size=16, shuffle=True)

for epoch in range(10):
    total = 0.0
    for xb, yb in loader:
        predicted = model(xb).squeeze(1)
        error = predicted - yb
        loss = error.abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    if epoch % 3 == 0:
        print(f"epoch {epoch} mae {total / len(loader):.4f}")
