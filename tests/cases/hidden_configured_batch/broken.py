import math

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(5)


class Forecaster(nn.Module):
    def __init__(self, input_size=1, hidden_size=16, num_layers=2, batch_size=32):
        super().__init__()
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.batch_size = batch_size
        self.lstm = nn.LSTM(input_size, hidden_size, num_layers, batch_first=True)
        self.linear = nn.Linear(hidden_size, 1)

    def forward(self, x):
        h0 = torch.zeros(self.num_layers, self.batch_size, self.hidden_size)
        c0 = torch.zeros(self.num_layers, self.batch_size, self.hidden_size)
        out, _ = self.lstm(x, (h0, c0))
        return self.linear(out[:, -1])


def windows(series, width=12):
    xs = torch.stack([series[i:i + width] for i in range(len(series) - width)])
    ys = series[width:]
    return xs.unsqueeze(-1), ys.unsqueeze(-1)


series = torch.tensor([math.sin(i / 5) for i in range(152)])
X, y = windows(series)
split = 100
train_loader = DataLoader(TensorDataset(X[:split], y[:split]), batch_size=32)
model = Forecaster()
loss_fn = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for epoch in range(3):
    total = 0
    for xb, yb in train_loader:
        pred = model(xb)
        loss = loss_fn(pred, yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print("epoch", epoch, "mse %.5f" % (total / len(train_loader)))
