"""A regression that runs, prints a falling loss, and learns the mean of its targets."""

import torch
from torch import nn

torch.manual_seed(0)
inputs = torch.randn(64, 3)
target = inputs @ torch.tensor([2.0, -1.0, 0.5])
model = nn.Linear(3, 1)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for step in range(100):
    pred = model(inputs)
    loss = criterion(pred, target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 33 == 0:
        print(f"step {step:2}: loss {loss.item():.4f}")
