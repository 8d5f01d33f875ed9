import torch
from torch.utils.data import Dataset


class RandomMolecules(Dataset):
    """Chains with a few rings; the target counts neighbours of equal type."""

    def __init__(self, n, seed=4):
        g = torch.Generator().manual_seed(seed)
        self.items = []
        for _ in range(n):
            size = int(torch.randint(3, 10, (1,), generator=g))
            types = torch.randint(0, 6, (size,), generator=g)
            adj = torch.diag(torch.ones(size - 1), 1)
            extra = torch.rand(size, size, generator=g) < 0.1
            adj = ((adj + adj.T) > 0) | extra | extra.T
            adj.fill_diagonal_(False)
            same = (types[:, None] == types[None, :]) & adj
            self.items.append((types, adj, same.float().sum() / size))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def merge(rows):
    """One big graph; graph_id says which node belongs to which molecule."""
    types = torch.cat([r[0] for r in rows])
    adj = torch.block_diag(*[r[1].float() for r in rows]).bool()
    sizes = torch.tensor([len(r[0]) for r in rows])
    graph_id = torch.repeat_interleave(torch.arange(len(rows)), sizes)
    return {"types": types, "adj": adj, "graph_id": graph_id, "y": torch.stack([r[2] for r in rows])}
