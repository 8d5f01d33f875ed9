import torch


def latent_batches(n, g):
    """Four clusters; sorted by class, as the shards on disk are."""
    y = torch.randint(0, 4, (n,), generator=g).sort().values
    centre = torch.randn(4, 8, generator=torch.Generator().manual_seed(9)) * 2
    return centre[y] + 0.3 * torch.randn(n, 8, generator=g), y
