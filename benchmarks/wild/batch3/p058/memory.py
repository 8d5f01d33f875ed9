import numpy as np
import torch


class ReplayMemory:
    def __init__(self, size, columns):
        self.size, self.count = size, 0
        self.columns = {
            name: np.zeros([size] + spec["shape"], dtype=spec["dtype"]) for name, spec in columns.items()}

    def store(self, **row):
        i = self.count % self.size
        for name, value in row.items():
            self.columns[name][i] = value
        self.count += 1

    def sample(self, n):
        idx = np.random.choice(min(self.count, self.size), n, replace=False)
        return {name: torch.from_numpy(col[idx]) for name, col in self.columns.items()}
