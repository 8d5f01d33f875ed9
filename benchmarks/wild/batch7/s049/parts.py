import torch


def made_parts(n, defects, seed):
    g = torch.Generator().manual_seed(seed)
    yy, xx = torch.meshgrid(torch.arange(16), torch.arange(16), indexing="ij")
    ring = (((yy - 8) ** 2 + (xx - 8) ** 2).float().sqrt() - 5).abs() < 1.5
    x = ring.float().expand(n, 1, 16, 16) + 0.05 * torch.randn(n, 1, 16, 16, generator=g)
    bad = (torch.rand(n, generator=g) < 0.5) & defects
    for i in bad.nonzero()[:, 0].tolist():
        y, z = torch.randint(2, 12, (2,), generator=g).tolist()
        depth = float(torch.rand(1, generator=g)) * 1.5 + 0.5
        x[i, 0, y:y + 3, z:z + 3] -= depth
    return x, bad
