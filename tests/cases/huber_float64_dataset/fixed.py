import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class GlucoseSeries(Dataset):
    def __init__(self, minutes=136, window=12):
        t = np.arange(minutes)
        rng = np.random.default_rng(8)
        level = 100 + 25 * np.sin(t / 40) + rng.normal(0, 2, minutes)
        self.level = (level - 100) / 25
        self.window = window

    def __len__(self):
        return len(self.level) - self.window - 1

    def __getitem__(self, start):
        past = self.level[start:start + self.window]
        future = self.level[start + self.window:start + self.window + 1]
        return past.astype(np.float32), np.array(future, dtype=np.float32)


class Forecaster(nn.Module):
    def __init__(self, hidden=20):
        super().__init__()
        self.cell = nn.LSTM(1, hidden, batch_first=True)
        self.readout = nn.Linear(hidden, 1)

    def forward(self, past):
        states, _ = self.cell(past.unsqueeze(-1))
        return self.readout(states[:, -1])


def train_loop(loader, model, optimizer):
    total = 0.0
    for past, future in loader:
        optimizer.zero_grad()
        loss = F.huber_loss(model(past), future)
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total / len(loader)


torch.manual_seed(8)
model = Forecaster()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
loader = DataLoader(GlucoseSeries(), batch_size=41)
for epoch in range(3):
    print("epoch", epoch, f"huber {train_loop(loader, model, optimizer):.4f}")
