import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
series = np.sin(np.linspace(0, 30, 400)).astype(np.float32)
window = 20
x = np.array([series[i:i + window] for i in range(len(series) - window)])
y = series[window:]
x = torch.from_numpy(x).unsqueeze(-1)
y = torch.from_numpy(y).unsqueeze(1)


class Forecaster(nn.Module):
    def __init__(self, hid=16):
        super().__init__()
        self.lstm = nn.LSTM(1, hid, batch_first=True)
        self.fc = nn.Linear(hid, 1)

    def forward(self, x):
        out, _ = self.lstm(x)
        return self.fc(out[:, -1])


model = Forecaster()
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
loss_fn = nn.MSELoss()
for epoch in range(2):
    for xb, yb in DataLoader(TensorDataset(x, y), batch_size=64):
        loss = loss_fn(model(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(epoch, round(loss.item(), 5))
