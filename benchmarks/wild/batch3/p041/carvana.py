import os

import numpy as np
import torch
from torch.utils.data import Dataset


def write_split(root, split, n, size, seed):
    """One .npz a picture: an ellipse on noise, and its mask."""
    rng = np.random.RandomState(seed)
    folder = os.path.join(root, split)
    os.makedirs(folder)
    h, w = size
    yy, xx = np.mgrid[:h, :w]
    for i in range(n):
        cy, cx = rng.uniform(0.3, 0.7) * h, rng.uniform(0.3, 0.7) * w
        mask = ((yy - cy) / (0.25 * h)) ** 2 + ((xx - cx) / (0.2 * w)) ** 2 < 1
        img = rng.rand(3, h, w) * 0.3 + 0.6 * mask
        np.savez(os.path.join(folder, "%03d.npz" % i), img=img.astype(np.float32), mask=mask)


class CarDataset(Dataset):
    def __init__(self, root, split, crop):
        folder = os.path.join(root, split)
        self.files = sorted(os.path.join(folder, f) for f in os.listdir(folder))
        self.crop = crop

    def __len__(self):
        return len(self.files)

    def __getitem__(self, i):
        with np.load(self.files[i]) as z:
            img, mask = z["img"], z["mask"]
        top = (img.shape[1] - self.crop[0]) // 2
        left = (img.shape[2] - self.crop[1]) // 2
        rows, cols = slice(top, top + self.crop[0]), slice(left, left + self.crop[1])
        return torch.from_numpy(img[:, rows, cols]), torch.from_numpy(mask[rows, cols]).float()
