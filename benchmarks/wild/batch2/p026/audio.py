import math

import torch
from torch.utils.data import Dataset


class ToneDataset(Dataset):
    def __init__(self, n_clips, segment, sample_rate):
        t = torch.arange(segment) / sample_rate
        freqs = torch.linspace(150, 900, n_clips)
        self.clips = torch.sin(2 * math.pi * freqs[:, None] * t[None]).unsqueeze(1)

    def __len__(self):
        return len(self.clips)

    def __getitem__(self, i):
        return self.clips[i]
