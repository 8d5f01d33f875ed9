import numpy as np
import torch
from torch.utils.data import Dataset


def record(speaker, rate, rng):
    """Between three and six seconds of one voice."""
    n = int(rate * rng.uniform(3.0, 6.0))
    t = np.arange(n) / rate
    pitch = 20 + 4 * speaker
    return np.sin(2 * np.pi * pitch * t) + 0.1 * rng.standard_normal(n)


def draw(speaker, size):
    yy, xx = np.mgrid[:size, :size] / size
    return np.sin(yy * speaker) * np.cos(xx * speaker)


class VoiceFaceDataset(Dataset):
    def __init__(self, speakers, rate, seconds, size):
        rng = np.random.default_rng(1)
        self.n_samples = rate * seconds
        self.items = [(record(s, rate, rng), draw(s, size)) for s in range(speakers)]

    def __len__(self):
        return len(self.items)

    def read_wave(self, i):
        wave = self.items[i][0]
        wave = wave[:self.n_samples]
        wave = np.pad(wave, (0, self.n_samples - len(wave)), mode="wrap")
        return torch.from_numpy(wave).float()

    def __getitem__(self, i):
        face = torch.from_numpy(self.items[i][1]).float().unsqueeze(0)
        return self.read_wave(i), face
