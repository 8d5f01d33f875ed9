import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class Drawings(Dataset):
    """Hand-drawn symbols as sequences of pen movements (dx, dy, pen down)."""

    def __init__(self, n=40, symbols=3):
        g = torch.Generator().manual_seed(77)
        self.data = []
        for i in range(n):
            steps = int(torch.randint(4, 12, (1,), generator=g))
            strokes = torch.randn(steps, 3, generator=g) + i % symbols
            self.data.append((strokes, i % symbols))

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        return self.data[i]


class SketchNet(nn.Module):
    def __init__(self, symbols=3):
        super().__init__()
        self.rnn = nn.LSTM(3, 16, batch_first=True)
        self.fc = nn.Linear(16, symbols)

    def forward(self, strokes):
        _, (h, _) = self.rnn(strokes)
        return self.fc(h[-1])


torch.manual_seed(77)
loader = DataLoader(Drawings(), batch_size=8)
model = SketchNet()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)

for epoch in range(3):
    total = 0.0
    for strokes, symbol in loader:
        loss = criterion(model(strokes), symbol)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(f"epoch {epoch}: {total / len(loader):.4f}")
