import torch
from torch.utils.data import Dataset


class PairDataset(Dataset):
    def __init__(self, size, cfg):
        g = torch.Generator().manual_seed(cfg.seed + 1)
        self.ids = torch.randint(1, cfg.vocab_size, (size, cfg.seq_len), generator=g)
        self.labels = self.ids.sum(1) % cfg.num_labels

    def __len__(self):
        return len(self.ids)

    def __getitem__(self, i):
        return self.ids[i], self.labels[i]
