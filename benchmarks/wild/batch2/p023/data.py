import numpy as np
import torch
from torch.utils.data import Dataset


class PointClouds(Dataset):
    """spheres, boxes and discs; (3, num_points)"""

    def __init__(self, size, num_points, seed):
        rng = np.random.RandomState(seed)
        clouds, labels = [], []
        for i in range(size):
            label = i % 3
            p = rng.randn(num_points, 3)
            if label == 0:
                p /= np.linalg.norm(p, axis=1, keepdims=True)
            elif label == 1:
                p /= np.abs(p).max(axis=1, keepdims=True)
            else:
                p[:, 2] *= 0.05
            clouds.append(p.T)
            labels.append(label)
        self.clouds = torch.tensor(np.stack(clouds), dtype=torch.float32)
        self.labels = torch.tensor(labels)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return self.clouds[i], self.labels[i]
