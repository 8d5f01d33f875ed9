import random

import torch
from torch.utils.data import Dataset


class ReverseTask(Dataset):
    """source: random digits, target: the same digits backwards + eos"""

    pad, sos, eos = 0, 1, 2

    def __init__(self, size, max_len, seed):
        rng = random.Random(seed)
        self.vocab_size = 13
        self.max_len = max_len
        self.samples = [[rng.randint(3, 12) for _ in range(rng.randint(3, max_len))] for _ in range(size)]

    def __len__(self):
        return len(self.samples)

    def __getitem__(self, i):
        src = self.samples[i]
        trg = src[::-1] + [self.eos]
        pad = lambda seq, n: torch.tensor(seq + [self.pad] * (n - len(seq)))
        return pad(src, self.max_len), len(src), pad(trg, self.max_len + 1)
