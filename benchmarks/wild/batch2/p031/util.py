import numpy as np
import torch

# name: (variables, time steps)
DATASETS = {"solar_small": (14, 150), "exchange_small": (8, 150)}


class DataLoaderS:
    def __init__(self, name, train, horizon, window):
        self.m, n = DATASETS[name]
        rng = np.random.RandomState(1)
        t = np.arange(n)[:, None]
        raw = np.abs(np.sin(np.pi * t / 24 + rng.rand(1, self.m))) + 0.05 * rng.rand(n, self.m)
        self.dat = torch.from_numpy(raw / raw.max(0)).float()
        self.P, self.h = window, horizon
        split = int(n * train)
        self.train = self._batchify(range(window + horizon - 1, split))
        self.valid = self._batchify(range(split, n))

    def _batchify(self, idx_set):
        X = torch.stack([self.dat[i - self.h + 1 - self.P:i - self.h + 1] for i in idx_set])
        Y = torch.stack([self.dat[i] for i in idx_set])
        return X, Y

    def get_batches(self, split, batch_size, shuffle):
        X, Y = getattr(self, split)
        index = torch.randperm(len(X)) if shuffle else torch.arange(len(X))
        for start in range(0, len(X), batch_size):
            ids = index[start:start + batch_size]
            # (batch, channel, node, time)
            yield X[ids].unsqueeze(1).transpose(2, 3), Y[ids]
