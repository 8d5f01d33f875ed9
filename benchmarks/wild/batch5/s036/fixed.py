import argparse

import torch
from torch import nn


class PatchTokens(nn.Module):
    def __init__(self, channels, patch, dim):
        super().__init__()
        self.patch = patch
        self.flat = channels * patch * patch
        self.proj = nn.Linear(self.flat, dim)

    def split(self, x):
        p = self.patch
        x = x.unfold(2, p, p).unfold(3, p, p).contiguous()
        return x.permute(0, 2, 3, 1, 4, 5).reshape(x.size(0), -1, self.flat)

    def forward(self, x):
        return self.proj(self.split(x))


class TinyViT(nn.Module):
    def __init__(self, classes, channels=3, size=16, patch=4, dim=32):
        super().__init__()
        self.tokens = PatchTokens(channels, patch, dim)
        self.cls = nn.Parameter(torch.zeros(1, 1, dim))
        self.pos = nn.Parameter(torch.randn(1, 1 + (size // patch) ** 2, dim) * 0.02)
        layer = nn.TransformerEncoderLayer(dim, 4, 64, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.head = nn.Linear(dim, classes)

    def forward(self, x):
        x = self.tokens(x)
        x = torch.cat([self.cls.expand(len(x), -1, -1), x], dim=1) + self.pos
        return self.head(self.encoder(x)[:, 0])


def pictures(n, seed):
    """A coloured square: the class is its colour and its half of the picture."""
    g = torch.Generator().manual_seed(seed)
    x = 0.3 * torch.randn(n, 3, 16, 16, generator=g)
    colour = torch.randint(0, 3, (n,), generator=g)
    top = torch.randint(0, 12, (n,), generator=g)
    left = torch.randint(0, 12, (n,), generator=g)
    for i in range(n):
        x[i, colour[i], top[i]:top[i] + 4, left[i]:left[i] + 4] += 1.5
    return x, colour * 2 + (left >= 6).long()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--batch", type=int, default=32)
    args = parser.parse_args()
    torch.manual_seed(0)
    x, y = pictures(256, 1)
    xv, yv = pictures(128, 2)
    model = TinyViT(classes=6)
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(args.epochs):
        total = 0.0
        for rows in torch.randperm(len(x)).split(args.batch):
            loss = criterion(model(x[rows]), y[rows])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(rows)
        with torch.no_grad():
            val = criterion(model(xv), yv).item()
        print(f"epoch {epoch} train {total / len(x):.4f} val {val:.4f}")


if __name__ == "__main__":
    main()
