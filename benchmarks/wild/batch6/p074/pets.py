import torch
from torch.utils.data import Dataset


class Pets(Dataset):
    """Cats have pointed ears: a bright row at the top."""

    def __init__(self, n, size):
        g = torch.Generator().manual_seed(0)
        self.labels = torch.randint(0, 2, (n,), generator=g)
        self.images = torch.randn(n, 3, size, size, generator=g)
        self.images[self.labels == 0, :, :3] += 1

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        return self.images[i], self.labels[i]
