import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class SensorWindows(Dataset):
    """Accelerometer windows with an activity each."""

    def __init__(self, n=40, steps=25, channels=6):
        g = torch.Generator().manual_seed(1)
        self.y = torch.randint(0, 4, (n,), generator=g)
        self.x = torch.randn(n, steps, channels, generator=g) + self.y[:, None, None] * 0.5

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


class ActivityLSTM(nn.Module):
    def __init__(self, input_size=6, hidden_size=20, num_classes=4):
        super().__init__()
        self.lstm = nn.LSTM(input_size, hidden_size, num_layers=2, batch_first=True)
        self.fc = nn.Linear(hidden_size, num_classes)

    def forward(self, x):
        out, (h_n, c_n) = self.lstm(x)
        return self.fc(out)


def main():
    torch.manual_seed(0)
    model = ActivityLSTM()
    loader = DataLoader(SensorWindows(), batch_size=8, shuffle=True)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(2):
        correct = 0
        for x, y in loader:
            logits = model(x)
            loss = criterion(logits, y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            correct += (logits.argmax(-1) == y).sum().item()
        print(f"epoch {epoch} loss {loss.item():.4f} acc {correct / 40:.3f}")


main()
