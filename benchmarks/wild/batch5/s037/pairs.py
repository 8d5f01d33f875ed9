import torch

PAD, IGNORE = 0, -100


def make_pairs(n, seed=8):
    g = torch.Generator().manual_seed(seed)
    pairs = []
    for _ in range(n):
        prompt = torch.randint(1, 30, (int(torch.randint(3, 7, (1,), generator=g)),), generator=g)
        good = [(int(prompt[-1]) + 1 + k) % 29 + 1 for k in range(5)]
        bad = torch.randint(1, 30, (int(torch.randint(3, 8, (1,), generator=g)),), generator=g).tolist()
        pairs.append((prompt.tolist(), good, bad))
    return pairs


def collate(rows):
    """Chosen rows first, then the rejected ones; labels only on the answers."""
    seqs = [(p, c) for p, c, _ in rows] + [(p, r) for p, _, r in rows]
    width = max(len(p) + len(a) for p, a in seqs)
    ids = torch.full((len(seqs), width), PAD)
    labels = torch.full((len(seqs), width), IGNORE)
    for i, (p, a) in enumerate(seqs):
        ids[i, :len(p) + len(a)] = torch.tensor(p + a)
        labels[i, len(p):len(p) + len(a)] = torch.tensor(a)
    return ids, labels
