import torch
from torch.utils.data import Dataset


class MultiTaskDataset(Dataset):
    def __init__(self, n_samples, n_features):
        g = torch.Generator().manual_seed(6)
        self.x = torch.randn(n_samples, n_features, generator=g)
        w = torch.randn(n_features, 3, generator=g) / n_features ** 0.5
        scores = self.x @ w
        self.targets = {
            "age": scores[:, 0],
            "income": scores[:, 1].exp().log1p(),
            "segment": torch.bucketize(scores[:, 2].contiguous(), torch.tensor([-0.7, 0.0, 0.7])),
        }

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], {name: t[i] for name, t in self.targets.items()}
