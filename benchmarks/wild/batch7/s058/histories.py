import torch


class Histories:
    """Item 0 pads on the left; users walk through the catalogue in steps of their own."""

    def __init__(self, users, items, maxlen, seed=4):
        g = torch.Generator().manual_seed(seed)
        self.items, self.maxlen, self.seqs = items, maxlen, []
        for _ in range(users):
            length = int(torch.randint(4, maxlen + 1, (1,), generator=g))
            start, step = torch.randint(0, items, (1,), generator=g), torch.randint(1, 4, (1,), generator=g)
            self.seqs.append((start + step * torch.arange(length + 1)) % items + 1)

    def left_pad(self, seq):
        out = torch.zeros(self.maxlen, dtype=torch.long)
        out[self.maxlen - len(seq):] = seq
        return out

    def batches(self, size):
        for rows in torch.randperm(len(self.seqs)).split(size):
            part = [self.seqs[i] for i in rows.tolist()]
            seq = torch.stack([self.left_pad(s[:-2]) for s in part])
            pos = torch.stack([self.left_pad(s[1:-1]) for s in part])
            neg = torch.randint(1, self.items + 1, pos.shape)
            yield seq, pos, neg

    def last_items(self):
        seq = torch.stack([self.left_pad(s[:-1]) for s in self.seqs])
        return seq, torch.stack([s[-1] for s in self.seqs]) - 1
