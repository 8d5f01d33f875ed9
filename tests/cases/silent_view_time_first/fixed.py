import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class ActivityNet(nn.Module):
    def __init__(self, n_sensors: int, n_hidden: int, n_classes: int):
        super().__init__()
        self.lstm = nn.LSTM(n_sensors, n_hidden)
        self.fc = nn.Linear(n_hidden, n_classes)

    def forward(self, x):
        batch, steps, sensors = x.size()
        x = x.transpose(0, 1)
        out, _ = self.lstm(x)
        return self.fc(out[-1])


def recordings(n: int, steps: int = 12):
    activity = torch.randint(0, 4, (n,))
    rate = 0.3 + 0.4 * activity.float()
    t = torch.arange(steps).float()
    signal = torch.sin(rate[:, None] * t)
    both = torch.stack([signal, torch.cos(rate[:, None] * t)], dim=-1)
    return both + 0.05 * torch.randn(n, steps, 2), activity


if __name__ == "__main__":
    torch.manual_seed(25)
    x, y = recordings(96)
    loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
    net = ActivityNet(2, 24, 4)
    optimizer = torch.optim.Adam(net.parameters(), lr=0.02)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(6):
        correct = 0
        for xb, yb in loader:
            logits = net(xb)
            loss = criterion(logits, yb)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            correct += (logits.argmax(1) == yb).sum().item()
        print(f"epoch {epoch + 1}: accuracy {correct / 96:.3f}")
