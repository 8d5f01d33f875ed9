import argparse

import torch
from torch import nn


class Norm2d(nn.Module):
    """Batch norm with running statistics, channels first."""

    def __init__(self, channels, momentum=0.1, eps=1e-5):
        super().__init__()
        self.momentum, self.eps = momentum, eps
        self.gamma = nn.Parameter(torch.ones(channels, 1, 1))
        self.beta = nn.Parameter(torch.zeros(channels, 1, 1))
        self.register_buffer("mean", torch.zeros(1, channels, 1, 1))
        self.register_buffer("var", torch.ones(1, channels, 1, 1))

    def forward(self, x):
        if self.training:
            mean = x.mean(dim=(0, 2, 3), keepdim=True)
            var = x.var(dim=(0, 2, 3), unbiased=False, keepdim=True)
            self.mean.lerp_(mean.detach(), self.momentum)
            self.var.lerp_(var.detach(), self.momentum)
        else:
            mean, var = self.mean, self.var
        return self.gamma * (x - mean) / torch.sqrt(var + self.eps) + self.beta


class Denoiser(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(1, width, 3, padding=1), Norm2d(width), nn.ReLU(),
            nn.Conv2d(width, width, 3, padding=1), Norm2d(width), nn.ReLU(),
            nn.Conv2d(width, 1, 3, padding=1))

    def forward(self, x):
        return x - self.net(x)


def stripes(n, size, seed):
    g = torch.Generator().manual_seed(seed)
    freq = torch.rand(n, 1, 1, 1, generator=g) * 2 + 0.5
    yy, xx = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    clean = torch.sin(freq * (xx + 0.5 * yy)) * torch.linspace(0.2, 2.0, size)
    return clean, clean + 0.4 * torch.randn(n, 1, size, size, generator=g)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--size", type=int, default=16)
    p.add_argument("--width", type=int, default=16)
    p.add_argument("--epochs", type=int, default=6)
    args = p.parse_args()
    torch.manual_seed(0)
    clean, noisy = stripes(96, args.size, 1)
    clean_v, noisy_v = stripes(32, args.size, 2)
    model = Denoiser(args.width)
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    criterion = nn.MSELoss()
    for epoch in range(args.epochs):
        model.train()
        total = 0.0
        for rows in torch.randperm(len(clean)).split(16):
            loss = criterion(model(noisy[rows]), clean[rows])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(rows)
        model.eval()
        with torch.no_grad():
            val = criterion(model(noisy_v), clean_v).item()
        print(f"epoch {epoch} train {total / len(clean):.4f} val {val:.4f}")


if __name__ == "__main__":
    main()
