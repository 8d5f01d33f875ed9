import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class TemporalBlock(nn.Module):
    def __init__(self, channels, frames):
        super().__init__()
        self.frames = frames
        self.conv = nn.Conv3d(channels, channels, (3, 1, 1), padding=(1, 0, 0))
        self.norm = nn.BatchNorm3d(channels)

    def forward(self, x):
        bt, c, h, w = x.shape
        x = x.view(-1, c, self.frames, h, w)
        return torch.relu(self.norm(self.conv(x)))


class StNet(nn.Module):
    def __init__(self, classes, frames, width=12):
        super().__init__()
        self.frame_net = nn.Sequential(
            nn.Conv2d(1, width, 3, stride=2, padding=1), nn.ReLU(),
            nn.Conv2d(width, width, 3, stride=2, padding=1), nn.ReLU())
        self.temporal = TemporalBlock(width, frames)
        self.head = nn.Linear(width, classes)

    def forward(self, clips):
        b, t, c, h, w = clips.shape
        x = self.frame_net(clips.view(b * t, c, h, w))
        x = self.temporal(x)
        return self.head(x.mean(dim=(2, 3, 4)))


def moving_dots(n, frames, size=12, seed=2):
    """Four directions of movement."""
    g = torch.Generator().manual_seed(seed)
    clips = 0.1 * torch.randn(n, frames, 1, size, size, generator=g)
    label = torch.randint(0, 4, (n,), generator=g)
    y = torch.randint(3, size - 3, (n,), generator=g)
    x = torch.randint(3, size - 3, (n,), generator=g)
    for i in range(n):
        dy, dx = [(0, 1), (0, -1), (1, 0), (-1, 0)][label[i]]
        for t in range(frames):
            clips[i, t, 0, (y[i] + dy * t) % size, (x[i] + dx * t) % size] += 2
    return clips, label


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--frames", type=int, default=6)
    args = parser.parse_args()
    torch.manual_seed(0)
    loader = DataLoader(TensorDataset(*moving_dots(128, args.frames)), batch_size=16, shuffle=True)
    model = StNet(4, args.frames)
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(args.epochs):
        total = 0.0
        for clips, label in loader:
            loss = criterion(model(clips), label)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(label)
        print(f"epoch {epoch} loss {total / 128:.4f}")


if __name__ == "__main__":
    main()
