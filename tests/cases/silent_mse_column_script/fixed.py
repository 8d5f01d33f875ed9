import numpy as np
import torch
import torch.nn as nn

np.random.seed(12)
torch.manual_seed(12)

hours = np.random.uniform(0, 10, 80)
score = 5 + 4.2 * hours + np.random.normal(0, 2, 80)

x = torch.from_numpy(hours.astype("float32")).reshape(-1, 1)
y = torch.from_numpy(score.astype("float32")).reshape(-1, 1)


class LinearRegression(nn.Module):
    def __init__(self, in_size, out_size):
        super().__init__()
        self.lin = nn.Linear(in_size, out_size)

    def forward(self, x):
        return self.lin(x)


model = LinearRegression(1, 1)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.02)

for epoch in range(1, 401):
    y_hat = model(x)
    loss = criterion(y_hat, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if epoch % 100 == 0:
        print(f"epoch {epoch}: loss {loss.item():.3f}")

slope, offset = model.lin.weight.item(), model.lin.bias.item()
print(f"score = {slope:.2f} * hours + {offset:.2f}")
