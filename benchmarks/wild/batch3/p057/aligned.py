import os

import numpy as np
import torch
from torch.utils.data import Dataset


def write_pairs(root, n, size, n_labels, seed=0):
    rng = np.random.RandomState(seed)
    for i in range(n):
        label = np.zeros((size, size), np.int64)
        for k in range(1, n_labels):
            y, x = rng.randint(0, size // 2, 2)
            label[y:y + size // 2, x:x + size // 2] = k
        image = label / n_labels + 0.05 * rng.normal(size=label.shape)
        np.savez(os.path.join(root, "%03d.npz" % i), label=label, image=image.astype(np.float32))


class AlignedDataset(Dataset):
    def __init__(self, root, opt):
        self.files = sorted(os.path.join(root, f) for f in os.listdir(root))
        self.opt = opt

    def __len__(self):
        return len(self.files)

    def encode(self, label):
        planes = [torch.nn.functional.one_hot(label, self.opt.label_nc).permute(2, 0, 1).float()]
        if self.opt.edges:
            edge = torch.zeros_like(label, dtype=torch.float)
            edge[1:] += (label[1:] != label[:-1]).float()
            edge[:, 1:] += (label[:, 1:] != label[:, :-1]).float()
            planes.append(edge.clamp(max=1).unsqueeze(0))
        return torch.cat(planes)

    def __getitem__(self, i):
        with np.load(self.files[i]) as z:
            return self.encode(torch.from_numpy(z["label"])), torch.from_numpy(z["image"]).unsqueeze(0)
