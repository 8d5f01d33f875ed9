import torch


def bars(n, side=8, seed=0):
    g = torch.Generator().manual_seed(seed)
    row, col = torch.randint(0, side, (2, n), generator=g)
    x = torch.zeros(n, side, side)
    x[torch.arange(n), row] = 1
    x[torch.arange(n), :, col] += 1
    return x.flatten(1) + 0.05 * torch.randn(n, side * side, generator=g)
