import numpy as np
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

COLOURS = np.array([[0, 0, 0], [128, 0, 0], [0, 128, 0], [0, 0, 128]], dtype=np.uint8)


class AerialTiles(Dataset):
    """RGB-coded label images: ground, roof, tree, water."""

    def __init__(self, n_tiles=18):
        rng = np.random.default_rng(13)
        self.codes = rng.integers(0, 4, size=(n_tiles, 4, 4)).repeat(4, axis=1).repeat(4, axis=2)
        self.noise = rng.normal(scale=0.2, size=(n_tiles, 3, 16, 16))

    def __len__(self):
        return len(self.codes)

    def __getitem__(self, i):
        label_image = COLOURS[self.codes[i]]
        picture = label_image.transpose(2, 0, 1) / 128 + self.noise[i]
        planes = [(label_image == c).all(axis=-1) for c in COLOURS]
        mask = np.stack(planes).argmax(axis=0)
        return torch.tensor(picture, dtype=torch.float32), torch.from_numpy(mask)


torch.manual_seed(13)
fcn = torch.nn.Sequential(
    torch.nn.Conv2d(3, 10, 3, padding=1),
    torch.nn.ReLU(),
    torch.nn.Conv2d(10, 4, 3, padding=1),
)
optimizer = torch.optim.SGD(fcn.parameters(), lr=0.2)
tiles = DataLoader(AerialTiles(), batch_size=6)

for epoch in range(4):
    losses = []
    for picture, mask in tiles:
        optimizer.zero_grad()
        loss = F.cross_entropy(fcn(picture), mask)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    print(f"epoch {epoch}: {sum(losses) / len(losses):.4f}")
