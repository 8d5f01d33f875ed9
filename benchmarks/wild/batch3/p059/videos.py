import torch
from torch.utils.data import Dataset


class MovingBlobs(Dataset):
    """Source and driving frame of the same blob."""

    def __init__(self, frame_shape, videos, seed=5):
        g = torch.Generator().manual_seed(seed)
        grid = torch.linspace(-1, 1, frame_shape)
        yy, xx = torch.meshgrid(grid, grid, indexing="ij")
        self.pairs = []
        for _ in range(videos):
            frames = []
            for _ in range(2):
                cy, cx = (torch.rand(2, generator=g) - 0.5).tolist()
                frames.append(torch.exp(-((yy - cy) ** 2 + (xx - cx) ** 2) / 0.05).unsqueeze(0))
            self.pairs.append(tuple(frames))

    def __len__(self):
        return len(self.pairs)

    def __getitem__(self, i):
        return self.pairs[i]
