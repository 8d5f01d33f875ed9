import torch
from torch.utils.data import Dataset


class CrowdImages(Dataset):
    def __init__(self, n, size, seed):
        g = torch.Generator().manual_seed(seed)
        self.images = 0.1 * torch.randn(n, 3, size, size, generator=g)
        self.density = torch.zeros(n, 1, size, size)
        for i in range(n):
            for _ in range(int(torch.randint(1, 9, (1,), generator=g))):
                y, x = torch.randint(1, size - 1, (2,), generator=g).tolist()
                self.images[i, :, y - 1:y + 2, x - 1:x + 2] += 1
                self.density[i, 0, y, x] += 1

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        return self.images[i], self.density[i]
