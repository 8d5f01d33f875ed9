import torch
import torch.nn as nn


class WindForecaster(nn.Module):
    """Mean and variance of the wind at three heights."""

    def __init__(self, n_features=11, n_heights=3):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_features, 32), nn.SiLU())
        self.mean = nn.Linear(32, n_heights)
        self.var = nn.Sequential(nn.Linear(32, 2), nn.Softplus())

    def forward(self, x):
        h = self.body(x)
        return self.mean(h), self.var(h) + 1e-4


class History:
    def __init__(self):
        self.values = []

    def add(self, loss):
        self.values.append(loss.item())

    def report(self):
        print(f"{len(self.values)} steps, last nll {self.values[-1]:.4f}")


if __name__ == "__main__":
    torch.manual_seed(14)
    weather = torch.randn(90, 11)
    wind = weather[:, :3] * torch.tensor([1.0, 1.5, 2.0]) + 0.3 * torch.randn(90, 3)

    forecaster = WindForecaster()
    nll = nn.GaussianNLLLoss()
    optimizer = torch.optim.Adam(forecaster.parameters(), lr=0.01)
    history = History()
    for _ in range(5):
        for x, y in zip(weather.chunk(3), wind.chunk(3)):
            mean, var = forecaster(x)
            loss = nll(mean, y, var)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            history.add(loss)
        history.report()
