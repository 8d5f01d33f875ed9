import argparse

import torch
from torch import nn
import torch.nn.functional as F


class ILN(nn.Module):
    """A learned mixture of instance and layer norm."""

    def __init__(self, channels, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.rho = nn.Parameter(torch.full((1, channels, 1, 1), 0.5))
        self.gamma = nn.Parameter(torch.ones(1, channels, 1, 1))
        self.beta = nn.Parameter(torch.zeros(1, channels, 1, 1))

    def forward(self, x):
        in_mean, ln_mean = x.mean(dim=(2, 3), keepdim=True), x.mean(dim=(1, 2, 3), keepdim=True)
        in_var = x.var(dim=(2, 3), keepdim=True)
        ln_var = x.var(dim=(1, 2, 3), keepdim=True)
        out_in = (x - in_mean) / torch.sqrt(in_var + self.eps)
        out_ln = (x - ln_mean) / torch.sqrt(ln_var + self.eps)
        rho = self.rho.clamp(0, 1)
        return (rho * out_in + (1 - rho) * out_ln) * self.gamma + self.beta


class Stylizer(nn.Module):
    def __init__(self, width=10):
        super().__init__()
        self.inp = nn.Conv2d(3, width, 3, padding=1)
        self.a, self.n1 = nn.Conv2d(width, width, 3, padding=1), ILN(width)
        self.b, self.n2 = nn.Conv2d(width, width, 3, padding=1), ILN(width)
        self.out = nn.Conv2d(width, 3, 3, padding=1)

    def forward(self, x):
        h = F.relu(self.inp(x))
        h = h + F.relu(self.n1(self.a(h)))
        h = h + F.relu(self.n2(self.b(h)))
        return torch.tanh(self.out(h))


def pictures(n, seed, size=16):
    """Photographs and their drawings: signs of the edges."""
    g = torch.Generator().manual_seed(seed)
    x = F.interpolate(torch.randn(n, 3, 4, 4, generator=g), size=size, mode="bilinear") * 2
    edges = x - F.avg_pool2d(x, 3, 1, 1)
    return x, torch.sign(edges) * 0.8


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=5)
    p.add_argument("--batch", type=int, default=8)
    args = p.parse_args()
    torch.manual_seed(0)
    x, y = pictures(64, 1)
    xv, yv = pictures(16, 2)
    model = Stylizer()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(args.epochs):
        total = 0.0
        for rows in torch.randperm(len(x)).split(args.batch):
            loss = F.l1_loss(model(x[rows]), y[rows])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(rows)
        with torch.no_grad():
            val = F.l1_loss(model(xv), yv).item()
        print(f"epoch {epoch} train {total / len(x):.4f} val {val:.4f}")


if __name__ == "__main__":
    main()
