import torch
from torch.nn.utils.rnn import pad_sequence

VOCAB, BOS = 14, 11


def date_batches(n, size, seed=3):
    """Digits of varied length to their last four, reversed; time first, longest first."""
    g = torch.Generator().manual_seed(seed)
    rows = [torch.randint(1, 11, (int(torch.randint(4, 10, (1,), generator=g)),), generator=g) for _ in range(n)]
    for i in range(0, n, size):
        part = sorted(rows[i:i + size], key=len, reverse=True)
        lengths = torch.tensor([len(r) for r in part])
        yield pad_sequence(part), lengths, torch.stack([r[-4:].flip(0) for r in part], dim=1)
