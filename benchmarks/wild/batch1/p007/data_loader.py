import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class Domain(Dataset):
    def __init__(self, name, scale_size, length=8):
        g = torch.Generator().manual_seed({"A": 5, "B": 6}[name])
        raw = torch.rand(length, 3, 40, 40, generator=g) * 2 - 1
        self.images = F.interpolate(raw, size=(scale_size, scale_size))

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        return self.images[i]


def get_loader(name, batch_size, scale_size):
    return DataLoader(Domain(name, scale_size), batch_size=batch_size)
