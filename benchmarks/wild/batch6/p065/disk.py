import os

import numpy as np
import torch
from torch.utils.data import Dataset


def write_examples(root, n, size):
    rng = np.random.default_rng(0)
    yy, xx = np.mgrid[:size, :size]
    for sub in ("imgs", "masks"):
        os.makedirs(os.path.join(root, sub))
    for i in range(n):
        cy, cx, r = rng.uniform(6, size - 6, 2).tolist() + [rng.uniform(3, 6)]
        inside = (yy - cy) ** 2 + (xx - cx) ** 2 < r * r
        image = rng.integers(0, 60, (size, size, 3)) + 150 * inside[..., None]
        np.save(os.path.join(root, "imgs", f"{i:03d}.npy"), image.astype(np.uint8))
        np.save(os.path.join(root, "masks", f"{i:03d}.npy"), (inside * 255).astype(np.uint8))


class MaskFolder(Dataset):
    def __init__(self, root, scale):
        self.root, self.step = root, int(round(1 / scale))
        self.ids = sorted(os.listdir(os.path.join(root, "imgs")))

    def __len__(self):
        return len(self.ids)

    def preprocess(self, array, is_mask):
        array = array[::self.step, ::self.step]
        if is_mask:
            return torch.from_numpy(array.astype(np.int64))
        return torch.from_numpy(array.transpose(2, 0, 1) / 255.0).float()

    def __getitem__(self, i):
        image = np.load(os.path.join(self.root, "imgs", self.ids[i]))
        mask = np.load(os.path.join(self.root, "masks", self.ids[i]))
        return self.preprocess(image, False), self.preprocess(mask, True)
