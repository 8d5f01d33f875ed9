"""Classify gestures of uneven length with packed sequences and the final hidden state."""
import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_sequence
from torch.utils.data import DataLoader, Dataset


class Gestures(Dataset):
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(i)
        kind = i % 3
        steps = int(torch.randint(4, 12, (1,), generator=g))
        drift = (kind - 1) * torch.linspace(0, 1, steps).unsqueeze(1)
        return drift + 0.1 * torch.randn(steps, 2, generator=g), kind


def collate(batch):
    batch.sort(key=lambda row: len(row[0]), reverse=True)
    signals = pack_sequence([signal for signal, _ in batch])
    kinds = torch.tensor([kind for _, kind in batch])
    return signals, kinds


class GestureNet(nn.Module):
    def __init__(self, hidden=16):
        super().__init__()
        self.lstm = nn.LSTM(2, hidden, num_layers=2, bidirectional=True)
        self.head = nn.Linear(2 * hidden, 3)

    def forward(self, packed):
        _, (h, _) = self.lstm(packed)  # h: (layers * 2, B, H)
        return self.head(torch.cat([h[-2], h[-1]], dim=1))


torch.manual_seed(9)
net = GestureNet()
loss_fn = nn.CrossEntropyLoss(label_smoothing=0.1)
optimizer = torch.optim.RMSprop(net.parameters(), lr=5e-3)
for epoch in range(3):
    hits = 0
    for signals, kinds in DataLoader(Gestures(40), batch_size=9, shuffle=True, collate_fn=collate):
        logits = net(signals)
        loss = loss_fn(logits, kinds)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        hits += (logits.argmax(1) == kinds).sum().item()
    print(f"epoch {epoch}: {hits / 40:.2f}")
