import numpy as np
import torch
from torch.utils.data import Dataset


def detection_collate(batch):
    """Stack the images, keep the annotations as a list (one tensor per image)."""
    images, targets = zip(*batch)
    return torch.stack(images, 0), list(targets)


class PlateDetection(Dataset):
    def __init__(self, length, transform):
        self.length = length
        self.transform = transform

    def __len__(self):
        return self.length

    def pull_item(self, index):
        rng = np.random.RandomState(index)
        height, width = rng.randint(40, 90, size=2)
        image = rng.rand(3, height, width).astype(np.float32) * 0.3
        rows = []
        for _ in range(1 + index % 3):
            w, h = rng.uniform(0.15, 0.4, size=2)
            x, y = rng.uniform(0, 1 - w), rng.uniform(0, 1 - h)
            label = rng.randint(0, 2)
            image[label, int(y * height):int((y + h) * height), int(x * width):int((x + w) * width)] += 0.6
            rows.append([x, y, x + w, y + h, label])
        return torch.from_numpy(image), torch.tensor(rows, dtype=torch.float32)

    def __getitem__(self, index):
        image, target = self.pull_item(index)
        image, boxes = self.transform(image, target[:, :4])
        return image, torch.cat([boxes, target[:, 4:]], dim=1)
