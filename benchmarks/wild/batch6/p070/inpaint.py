import torch


def corrupted_batches(n, size, seed):
    g = torch.Generator().manual_seed(seed)
    while True:
        phase = torch.rand(n, 3, 1, 1, generator=g) * 6
        clean = torch.sin(torch.linspace(0, 6, size) + phase).expand(n, 3, size, size)
        mask = torch.zeros(n, 1, size, size)
        for i in range(n):
            y, x = torch.randint(0, size // 2, (2,), generator=g).tolist()
            mask[i, :, y:y + size // 2, x:x + size // 2] = 1
        noise = torch.randn(n, 3, size, size, generator=g)
        yield clean, clean * (1 - mask) + noise * mask, mask
