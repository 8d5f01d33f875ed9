import numpy as np
import torch
from torch.utils.data import Dataset

from settings import CFG, LABELS


class InvoiceDataset(Dataset):
    """words of a page and the field to which each of them belongs"""

    def __init__(self, size, seed):
        rng = np.random.RandomState(seed)
        self.tags = rng.randint(0, len(LABELS), size=(size, CFG["max_len"]))
        offset = rng.randint(0, 20, size=self.tags.shape)
        self.words = 2 + self.tags * 17 + offset % 17

    def __len__(self):
        return len(self.words)

    def __getitem__(self, i):
        return {
            "input_ids": torch.tensor(self.words[i], dtype=torch.long),
            "attention_mask": torch.ones(CFG["max_len"], dtype=torch.long),
            "labels": torch.tensor(self.tags[i], dtype=torch.long),
        }
