import numpy as np
import torch
from torch.utils.data import Dataset

ORGANS = ["aorta", "colon", "femur", "heart", "kidney", "liver", "spleen"]


class TotalSegmentator2D(Dataset):
    """Axial slices; one binary mask per organ, merged into a semantic mask."""

    def __init__(self, split, length, size=32):
        self.split = split
        self.length = length
        self.size = size
        self.offset = {"train": 0, "val": 1000}[split]

    @property
    def classes(self):
        return ORGANS

    @property
    def num_classes(self):
        return len(self.classes)

    def __len__(self):
        return self.length

    def _organ_masks(self, rng):
        masks = np.zeros((len(ORGANS), self.size, self.size), dtype=bool)
        for k in range(len(ORGANS)):
            y, x = rng.randint(0, self.size - 8, size=2)
            masks[k, y:y + 8, x:x + 8] = True
        return masks

    def __getitem__(self, index):
        rng = np.random.RandomState(self.offset + index)
        masks = self._organ_masks(rng)
        semantic = np.zeros((self.size, self.size), dtype=np.int64)
        for k, mask in enumerate(masks):
            semantic[mask] = k + 1
        image = rng.rand(1, self.size, self.size).astype(np.float32) * 0.1
        image += semantic[None].astype(np.float32) / 10
        return torch.from_numpy(image), torch.from_numpy(semantic)
