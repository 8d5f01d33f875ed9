import numpy as np
import torch


class DataUtility:
    def __init__(self, n, channels, train, horizon, window):
        rng = np.random.RandomState(0)
        t = np.arange(n)[:, None]
        phase = rng.rand(channels)[None] * 6
        raw = np.sin(2 * np.pi * t / 12 + phase) + 0.1 * rng.randn(n, channels)
        self.dat = torch.from_numpy(raw).float()
        self.m = channels
        self.P, self.h = window, horizon
        split = int(train * n)
        self.train = self._batchify(range(window + horizon - 1, split))
        self.valid = self._batchify(range(split, n))

    def _batchify(self, idx_set):
        X = torch.stack([self.dat[i - self.h + 1 - self.P:i - self.h + 1] for i in idx_set])
        Y = torch.stack([self.dat[i] for i in idx_set])
        return X, Y

    def get_batches(self, inputs, targets, batch_size, shuffle=True):
        index = torch.randperm(len(inputs)) if shuffle else torch.arange(len(inputs))
        for start in range(0, len(inputs), batch_size):
            excerpt = index[start:start + batch_size]
            yield inputs[excerpt], targets[excerpt]
