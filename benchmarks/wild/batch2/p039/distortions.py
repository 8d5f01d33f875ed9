import torch
import torch.nn.functional as F
from torch.utils.data import Dataset


class LiveToy(Dataset):
    """blurred and noisy images with a quality score"""

    def __init__(self, size, height, width, seed):
        g = torch.Generator().manual_seed(seed)
        base = torch.rand(size, 3, height, width, generator=g)
        level = torch.rand(size, generator=g)
        blurred = F.avg_pool2d(base, 3, stride=1, padding=1)
        self.images = base * (1 - level.view(-1, 1, 1, 1)) + blurred * level.view(-1, 1, 1, 1)
        self.scores = 1 - level

    def __len__(self):
        return len(self.scores)

    def __getitem__(self, i):
        return self.images[i], self.scores[i]
