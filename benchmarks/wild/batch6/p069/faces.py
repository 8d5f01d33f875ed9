import torch
from torch.utils.data import Dataset


class FacePairs(Dataset):
    """A bare face, a made-up face, and the bare face in those colours."""

    def __init__(self, n, size):
        g = torch.Generator().manual_seed(1)
        shade = torch.rand(n, 3, 1, 1, generator=g)
        self.source = torch.rand(n, 1, size, size, generator=g).expand(n, 3, size, size)
        self.reference = shade * torch.rand(n, 1, size, size, generator=g)
        self.result = self.source * shade

    def __len__(self):
        return len(self.source)

    def __getitem__(self, i):
        return self.source[i], self.reference[i], self.result[i]
