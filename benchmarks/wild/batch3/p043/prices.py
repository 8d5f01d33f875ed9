import csv

import numpy as np
import torch
from torch.utils.data import Dataset


def fake_ticker(n, seed=8):
    rng = np.random.RandomState(seed)
    close = 100 + np.cumsum(rng.normal(0, 1, n))
    for c in close:
        o = c + rng.normal(0, 0.5)
        yield [o, max(o, c) + 0.3, min(o, c) - 0.3, c, rng.randint(1000, 5000)]


class PriceWindows(Dataset):
    """(window, 5) normalised rows and the next close."""

    def __init__(self, path, window):
        with open(path) as f:
            reader = csv.reader(f)
            next(reader)
            table = np.array([[float(v) for v in row] for row in reader], np.float32)
        table = (table - table.mean(0)) / table.std(0)
        self.table = torch.from_numpy(table)
        self.window = window

    def __len__(self):
        return len(self.table) - self.window

    def __getitem__(self, i):
        return self.table[i:i + self.window], self.table[i + self.window, 3]
