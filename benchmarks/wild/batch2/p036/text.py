import torch

TEXT = """first citizen: before we proceed any further, hear me speak.
all: speak, speak. first citizen: you are all resolved rather to die than to famish?
all: resolved. resolved."""


class TinyText:
    def __init__(self, seq_len, batch_size, seed):
        chars = sorted(set(TEXT))
        self.n_tokens = len(chars)
        self.data = torch.tensor([chars.index(c) for c in TEXT])
        self.seq_len, self.batch_size = seq_len, batch_size
        self.g = torch.Generator().manual_seed(seed)

    def batch(self):
        """data and target, both [seq_len, batch_size]"""
        starts = torch.randint(len(self.data) - self.seq_len - 1, (self.batch_size,), generator=self.g)
        rows = torch.stack([self.data[s:s + self.seq_len + 1] for s in starts.tolist()], dim=1)
        return rows[:-1], rows[1:]
