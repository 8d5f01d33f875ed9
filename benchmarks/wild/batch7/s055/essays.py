import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import Dataset

PAD = 0


class EssayPairs(Dataset):
    """Rare words make a better essay."""

    def __init__(self, n, seed=1):
        g = torch.Generator().manual_seed(seed)
        self.rows = []
        for _ in range(n):
            pair = [torch.randint(1, 50, (int(torch.randint(6, 40, (1,), generator=g)),), generator=g) for _ in range(2)]
            quality = [(e > 35).float().mean() for e in pair]
            self.rows.append((*pair, 3 * (quality[0] - quality[1])))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]


def collate(rows):
    a, b, gap = zip(*rows)
    pad = lambda seqs: pad_sequence(seqs, batch_first=True, padding_value=PAD)
    return pad(a), pad(b), torch.stack(gap)
