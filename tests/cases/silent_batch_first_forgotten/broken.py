import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class HeartbeatLSTM(nn.Module):
    def __init__(self, hidden=16, classes=2):
        super().__init__()
        self.lstm = nn.LSTM(1, hidden)
        self.fc = nn.Linear(hidden, classes)

    def forward(self, beat):
        out, _ = self.lstm(beat)
        return self.fc(out[:, -1, :])


def beats(n=96, time=14):
    g = torch.Generator().manual_seed(2)
    label = torch.arange(n) % 2
    t = torch.linspace(0, 6.28, time)
    wave = torch.sin(t) * (1 - 2 * label.float()).unsqueeze(1)
    return (wave + 0.4 * torch.randn(n, time, generator=g)).unsqueeze(-1), label


def train(epochs=8):
    torch.manual_seed(2)
    loader = DataLoader(TensorDataset(*beats()), batch_size=12, shuffle=True)
    model = HeartbeatLSTM()
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(epochs):
        total = 0.0
        for beat, label in loader:
            optimizer.zero_grad()
            loss = criterion(model(beat), label)
            loss.backward()
            optimizer.step()
            total += loss.item()
        if epoch % 2:
            print(f"epoch {epoch + 1} loss {total / len(loader):.4f}")


train()
