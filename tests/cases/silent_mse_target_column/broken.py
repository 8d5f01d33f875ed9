import warnings

import torch
from torch import nn

warnings.simplefilter("ignore", UserWarning)
torch.manual_seed(4)

table = torch.randn(100, 8)
table[:, 7] = table[:, :3].sum(dim=1) + 0.1 * torch.randn(100)


class BloodPressure(nn.Module):
    def __init__(self):
        super().__init__()
        self.stack = nn.Sequential(nn.Linear(7, 20), nn.Tanh(), nn.Linear(20, 1))

    def forward(self, features):
        return self.stack(features).squeeze(-1)


net = BloodPressure()
objective = nn.MSELoss()
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)

for epoch in range(30):
    for rows in table.split(25):
        features, pressure = rows[:, :7], rows[:, 7:]
        prediction = net(features)
        loss = objective(prediction, pressure)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if epoch % 10 == 9:
        print(f"epoch {epoch + 1} loss {loss.item():.4f}")

with torch.no_grad():
    error = (net(table[:, :7]) - table[:, 7]).abs().mean()
print(f"mean absolute error {error.item():.4f}")
