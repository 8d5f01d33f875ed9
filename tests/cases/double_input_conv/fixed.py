import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class Thermal(Dataset):
    """Thermal camera crops: person or no person."""

    def __init__(self, n=30):
        rng = np.random.default_rng(0)
        self.labels = rng.integers(0, 2, n)
        self.frames = rng.integers(0, 120, size=(n, 1, 16, 16), dtype=np.uint8)
        for frame, label in zip(self.frames, self.labels):
            frame[0, 6:10, 6:10] += np.uint8(100 * label)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return (self.frames[i] / 255.0).astype(np.float32), self.labels[i]


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 8, kernel_size=5, stride=2)
        self.norm = nn.GroupNorm(2, 8)
        self.head = nn.Linear(8, 2)

    def forward(self, frame):
        h = self.conv(frame)
        h = torch.relu(self.norm(h))
        return self.head(h.amax(dim=(2, 3)))


torch.manual_seed(0)
detector = Detector()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(detector.parameters(), lr=0.01)
for epoch in range(3):
    for frame, label in DataLoader(Thermal(), batch_size=10):
        loss = criterion(detector(frame), label)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("epoch", epoch, round(loss.item(), 4))
