import torch


def batches(n, size, seed):
    """Pictures of rooms (1, 8, 8) and spectrograms of their echo (1, 16, 16)."""
    g = torch.Generator().manual_seed(100 + seed)
    volume = torch.rand(n, 1, 1, 1, generator=g)
    picture = volume * torch.ones(n, 1, 8, 8) + 0.1 * torch.randn(n, 1, 8, 8, generator=g)
    t = torch.linspace(0, 4, 16)
    decay = torch.exp(-t / (0.3 + volume))
    spec = decay * (1 + 0.5 * torch.randn(n, 1, 16, 16, generator=g))
    for i in range(0, n, size):
        yield picture[i:i + size], spec[i:i + size]
