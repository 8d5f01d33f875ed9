import torch
from torch.utils.data import Dataset


class ScenePairs(Dataset):
    """The same place twice; a block may have appeared."""

    def __init__(self, n, size):
        g = torch.Generator().manual_seed(9)
        base = torch.randn(n, 3, size, size, generator=g)
        self.t0 = base + 0.1 * torch.randn(base.shape, generator=g)
        self.t1 = base + 0.1 * torch.randn(base.shape, generator=g)
        self.change = torch.zeros(n, size, size)
        for i in range(n):
            y, x = torch.randint(0, size - 6, (2,), generator=g).tolist()
            self.t1[i, :, y:y + 6, x:x + 6] += 2
            self.change[i, y:y + 6, x:x + 6] = 1

    def __len__(self):
        return len(self.t0)

    def __getitem__(self, i):
        return self.t0[i], self.t1[i], self.change[i]
