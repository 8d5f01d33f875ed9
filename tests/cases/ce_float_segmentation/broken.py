import numpy as np
import torch
from torch import nn, optim
from torch.utils.data import DataLoader, Dataset


class CellImages(Dataset):
    """Microscopy tiles; the mask says background / cell / nucleus for every pixel."""

    def __init__(self, count=12, side=24):
        rng = np.random.default_rng(2)
        self.images, self.masks = [], []
        for _ in range(count):
            mask = np.zeros((side, side), dtype=np.uint8)
            r, c = rng.integers(4, side - 8, size=2)
            mask[r - 3:r + 6, c - 3:c + 6] = 1
            mask[r:r + 3, c:c + 3] = 2
            self.masks.append(mask)
            self.images.append(mask * 80 + rng.integers(0, 60, size=mask.shape))

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        image = torch.as_tensor(self.images[i], dtype=torch.float32).unsqueeze(0) / 255
        mask = torch.as_tensor(self.masks[i], dtype=torch.float32)
        return image, mask


torch.manual_seed(0)
unet = nn.Sequential(
    nn.Conv2d(1, 12, 3, padding=1), nn.ReLU(),
    nn.Conv2d(12, 12, 3, padding=1), nn.ReLU(),
    nn.Conv2d(12, 3, 1),
)
ce = nn.CrossEntropyLoss(weight=torch.tensor([0.2, 1.0, 2.0]))
adam = optim.Adam(unet.parameters(), lr=3e-3)

for epoch in range(3):
    for images, masks in DataLoader(CellImages(), batch_size=4):
        adam.zero_grad()
        pixel_logits = unet(images)
        loss = ce(pixel_logits, masks)
        loss.backward()
        adam.step()
    print("epoch {} loss {:.4f}".format(epoch, loss.item()))
