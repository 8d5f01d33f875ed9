import numpy as np
import torch
from torch.utils.data import Dataset


class VOCToy(Dataset):
    """images with 1-3 coloured boxes; target rows are [xmin, ymin, xmax, ymax, label]"""

    def __init__(self, cfg, length):
        self.cfg, self.length = cfg, length

    def __len__(self):
        return self.length

    def __getitem__(self, idx):
        rng = np.random.RandomState(idx)
        s = self.cfg["image_size"]
        image = rng.rand(3, s, s).astype(np.float32) * 0.2
        target = []
        for _ in range(rng.randint(1, 4)):
            label = rng.randint(0, self.cfg["num_classes"] - 1)
            w, h = rng.randint(8, 24, size=2)
            x, y = rng.randint(0, s - w), rng.randint(0, s - h)
            image[label % 3, y:y + h, x:x + w] += 0.7
            target.append([x / s, y / s, (x + w) / s, (y + h) / s, label])
        return torch.from_numpy(image), np.array(target, dtype=np.float32)


def detection_collate(batch):
    images = torch.stack([sample[0] for sample in batch], 0)
    targets = [torch.from_numpy(sample[1]) for sample in batch]
    return images, targets
