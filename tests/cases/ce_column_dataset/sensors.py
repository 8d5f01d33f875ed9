import torch
from torch.utils.data import Dataset


class VibrationWindows(Dataset):
    """Windows of an accelerometer signal with the number of the fault."""

    def __init__(self, n, length, n_faults):
        gen = torch.Generator().manual_seed(11)
        self.faults = torch.randint(0, n_faults, (n,), generator=gen).tolist()
        self.signals = [torch.randn(1, length, generator=gen) * (1 + f) for f in self.faults]

    def __len__(self):
        return len(self.signals)

    def __getitem__(self, index):
        label = torch.LongTensor([self.faults[index]])
        return self.signals[index], label
