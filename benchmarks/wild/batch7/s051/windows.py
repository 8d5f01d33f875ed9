import torch
from torch.utils.data import Dataset


def traffic(n, length):
    g = torch.Generator().manual_seed(3)
    t = torch.arange(length).unsqueeze(1)
    period = torch.tensor([6.0, 9.0, 13.0])[torch.arange(n) % 3]
    level = torch.linspace(0.5, 2.5, n)
    x = level * torch.sin(2 * torch.pi * t / period + torch.arange(n) // 3)
    return x + 0.1 * torch.randn(length, n, generator=g)


class TopKWindows(Dataset):
    """For each series itself and its k most correlated ones."""

    def __init__(self, values, k, seq, pred):
        self.seq, self.pred = seq, pred
        corr = torch.corrcoef(values.T).abs()
        corr.fill_diagonal_(2.0)
        top = corr.topk(k + 1, dim=1).indices
        self.values = values
        self.groups = values[:, top.T]

    def __len__(self):
        return len(self.values) - self.seq - self.pred

    def __getitem__(self, i):
        x = self.groups[i:i + self.seq]
        length, width, channels = x.shape
        x = x.reshape(length, channels, width)
        y = self.values[i + self.seq:i + self.seq + self.pred]
        return x, y
