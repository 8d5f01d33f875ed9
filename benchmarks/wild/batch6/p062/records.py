import torch
from torch.utils.data import Dataset

BEHAVIOURS = 4


class BehaviourVideos(Dataset):
    """Frames and a row of labels each; column 0 says that nothing happens."""

    n_labels = BEHAVIOURS + 1

    def __init__(self, n, size):
        g = torch.Generator().manual_seed(2)
        active = torch.rand(n, BEHAVIOURS, generator=g) < 0.3
        self.frames = 0.2 * torch.randn(n, 1, size, size, generator=g)
        for k in range(BEHAVIOURS):
            self.frames[active[:, k], :, 3 * k:3 * k + 3] += 1
        background = ~active.any(dim=1, keepdim=True)
        self.labels = torch.cat([background, active], dim=1).float()

    def __len__(self):
        return len(self.frames)

    def __getitem__(self, i):
        return self.frames[i], self.labels[i]
