import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class BikeCounter(nn.Module):
    def __init__(self, features=7):
        super().__init__()
        self.body = nn.Linear(features, 24)
        self.log_rate = nn.Linear(24, 1)

    def forward(self, weather):
        return self.log_rate(torch.relu(self.body(weather)))


def season(days=90):
    torch.manual_seed(20)
    weather = torch.randn(days, 7)
    rate = torch.exp(1.0 + 0.6 * weather[:, 0] - 0.4 * weather[:, 1])
    return weather, torch.poisson(rate)


def deviance(log_rate, count):
    rate = log_rate.exp()
    return (2 * (torch.xlogy(count, count / rate) - (count - rate))).mean().item()


weather, count = season()
model = BikeCounter()
criterion = nn.PoissonNLLLoss(log_input=True)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(16):
    for w, c in DataLoader(TensorDataset(weather, count), batch_size=15):
        loss = criterion(model(w), c)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if epoch % 5 == 0:
        with torch.no_grad():
            fit = deviance(model(weather).flatten(), count)
        print(f"epoch {epoch} loss {loss.item():.4f} deviance {fit:.4f}")
