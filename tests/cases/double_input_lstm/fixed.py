import numpy as np
import torch
import torch.nn as nn


class MinMax:
    def fit_transform(self, series):
        self.low, self.span = series.min(), np.ptp(series)
        return (series - self.low) / self.span


def windows(series, look_back):
    xs = np.array([series[i:i + look_back] for i in range(len(series) - look_back)])
    ys = np.array([series[i + look_back] for i in range(len(series) - look_back)])
    return xs[..., None], ys[:, None]


passengers = 200 + np.arange(96) * 2 + 40 * np.sin(np.arange(96) * np.pi / 6)
scaled = MinMax().fit_transform(passengers)
trainX, trainY = windows(scaled, look_back=8)
trainX = torch.from_numpy(trainX).float()
trainY = torch.from_numpy(trainY).float()


class AirLSTM(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(input_size=1, hidden_size=10, batch_first=True)
        self.linear = nn.Linear(10, 1)

    def forward(self, x):
        x, _ = self.lstm(x)
        return self.linear(x[:, -1, :])


torch.manual_seed(7)
model = AirLSTM()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
criterion = nn.L1Loss()
for epoch in range(9):
    y_pred = model(trainX)
    loss = criterion(y_pred, trainY)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if epoch % 4 == 0:
        print(f"Epoch {epoch}: train MAE {loss.item():.4f}")
