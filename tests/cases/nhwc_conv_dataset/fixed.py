import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class IconDataset(Dataset):
    def __init__(self, count, transform=None):
        self.rng = np.random.default_rng(2024)
        self.icons = self.rng.random((count, 18, 22, 4), dtype=np.float32)
        self.flat_design = (self.icons[..., 3].mean(axis=(1, 2)) > 0.5).astype(np.float32)
        self.transform = transform

    def __len__(self):
        return len(self.icons)

    def __getitem__(self, item):
        icon = self.icons[item]
        if self.transform is not None:
            icon = self.transform(icon)
        return icon, self.flat_design[item]


class Compose:
    def __init__(self, *steps):
        self.steps = steps

    def __call__(self, value):
        for step in self.steps:
            value = step(value)
        return value


to_tensor = lambda array: torch.from_numpy(array).permute(2, 0, 1)
normalise = lambda tensor: (tensor - 0.5) / 0.25

icons = IconDataset(20, transform=Compose(to_tensor, normalise))
loader = DataLoader(icons, batch_size=5)

torch.manual_seed(2024)
stem = nn.Conv2d(4, 8, kernel_size=4, stride=2)
head = nn.Linear(8, 1)
opt = torch.optim.Adam([*stem.parameters(), *head.parameters()], lr=0.01)
bce = nn.BCEWithLogitsLoss()

for epoch in range(3):
    for icon, label in loader:
        maps = torch.relu(stem(icon))
        logit = head(maps.mean(dim=(2, 3)))[:, 0]
        loss = bce(logit, label)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print("epoch", epoch, "loss", round(loss.item(), 4))
