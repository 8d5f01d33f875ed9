import math

import torch
import torch.nn as nn


class StepRegressor(nn.Module):
    def __init__(self, hidden=16):
        super().__init__()
        self.rnn = nn.GRU(1, hidden, batch_first=True)
        self.linear = nn.Linear(hidden, 1)

    def forward(self, x):
        out, _ = self.rnn(x)
        return self.linear(out)


def pendulum(batch, steps):
    phase = torch.rand(batch, 1) * 2 * math.pi
    t = torch.arange(steps + 1) * 0.3
    angle = torch.sin(t + phase)
    return angle[:, :-1].unsqueeze(-1), angle[:, 1:]


def training(model, n_iter=12, batch=12, steps=9):
    criterion = nn.MSELoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for i in range(n_iter):
        x, y = pendulum(batch, steps)
        prediction = model(x)
        loss = criterion(prediction, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if i % 4 == 0:
            print(f"{i:3d} {loss.item():.4f}")


torch.manual_seed(0)
training(StepRegressor())
