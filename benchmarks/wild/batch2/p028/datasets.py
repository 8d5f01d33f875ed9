import numpy as np
import torch
from torch.utils.data import Dataset


class SliceDataset(Dataset):
    def __init__(self, length, img_size, num_classes):
        self.length, self.img_size, self.num_classes = length, img_size, num_classes

    def __len__(self):
        return self.length

    def __getitem__(self, i):
        rng = np.random.RandomState(i)
        label = np.zeros((self.img_size, self.img_size), dtype=np.int64)
        for c in range(1, self.num_classes + 1):
            y, x = rng.randint(0, self.img_size - 10, size=2)
            label[y:y + 10, x:x + 10] = c
        image = label[None] / self.num_classes + 0.1 * rng.randn(1, self.img_size, self.img_size)
        return torch.from_numpy(image.astype(np.float32)), torch.from_numpy(label)
