import argparse

import torch
from torch import nn
import torch.nn.functional as F


class SegNet(nn.Module):
    def __init__(self, classes, width=12):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(3, width, 3, padding=1), nn.BatchNorm2d(width), nn.ReLU(),
            nn.Conv2d(width, width, 3, padding=1), nn.ReLU(), nn.Conv2d(width, classes, 1))

    def forward(self, x):
        return self.net(x)


def dice(logits, target, classes):
    """Mean over the classes that occur."""
    pred = logits.argmax(dim=1)
    scores = []
    for c in range(classes):
        p, t = pred == c, target == c
        if t.any():
            scores.append(2.0 * (p & t).sum() / (p.sum() + t.sum()))
    return torch.stack(scores).mean().item()


def scenes(n, size, classes, seed):
    g = torch.Generator().manual_seed(seed)
    palette = torch.rand(classes, 3, generator=torch.Generator().manual_seed(5))
    target = torch.randint(0, classes, (n, size // 2, size // 2), generator=g)
    target = target.repeat_interleave(2, dim=1).repeat_interleave(2, dim=2)
    image = palette[target].permute(0, 3, 1, 2) + 0.15 * torch.randn(n, 3, size, size, generator=g)
    return image, target


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--size", type=int, default=8)
    p.add_argument("--classes", type=int, default=8)
    p.add_argument("--epochs", type=int, default=6)
    args = p.parse_args()
    torch.manual_seed(0)
    image, target = scenes(96, args.size, args.classes, 1)
    val_image, val_target = scenes(32, args.size, args.classes, 2)
    model = SegNet(args.classes)
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    best = (0.0, -1)
    for epoch in range(args.epochs):
        model.train()
        total = 0.0
        for rows in torch.randperm(len(image)).split(16):
            loss = F.cross_entropy(model(image[rows]), target[rows])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(rows)
        model.eval()
        with torch.no_grad():
            score = dice(model(val_image), val_target, args.classes)
        best = max(best, (score, epoch))
        print(f"epoch {epoch} loss {total / len(image):.4f} dice {score:.4f}")
    print(f"best epoch {best[1]} dice {best[0]:.4f}")


if __name__ == "__main__":
    main()
