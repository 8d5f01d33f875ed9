import numpy as np
import torch
from torch.utils.data import Dataset


class ShapeCloud(Dataset):
    """Points on spheres, boxes and flat discs."""

    def __init__(self, split, npoints):
        rng = np.random.RandomState(split["seed"])
        self.items = []
        for i in range(split["count"]):
            kind = i % 3
            p = rng.normal(size=(npoints, 3))
            if kind == 0:
                p /= np.linalg.norm(p, axis=1, keepdims=True)
            elif kind == 1:
                p = np.clip(p, -0.7, 0.7)
            else:
                p[:, 2] *= 0.05
            self.items.append((torch.from_numpy(p.astype(np.float32)), kind))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]
