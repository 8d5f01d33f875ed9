import torch
from torch.nn.utils.rnn import pad_sequence


class PreferenceData:
    def __init__(self, n, seed=3):
        g = torch.Generator().manual_seed(seed)
        self.rows = []
        for _ in range(n):
            prompt = torch.randint(1, 26, (int(torch.randint(4, 9, (1,), generator=g)),), generator=g)
            good = (prompt[-1] + torch.arange(1, 5)) % 25 + 1
            bad = torch.randint(1, 26, (int(torch.randint(3, 6, (1,), generator=g)),), generator=g)
            self.rows.append((prompt, good, bad))

    def __len__(self):
        return len(self.rows)

    def collate(self, index):
        rows = [self.rows[i] for i in index]
        seqs = [torch.cat([p, c]) for p, c, _ in rows] + [torch.cat([p, r]) for p, _, r in rows]
        return pad_sequence(seqs, batch_first=True), [len(p) for p, _, _ in rows]
