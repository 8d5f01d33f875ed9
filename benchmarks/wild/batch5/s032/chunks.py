import torch


def make_episodes(n, seed=2):
    """Noisy observations of a hidden level that was shown once, at the start."""
    g = torch.Generator().manual_seed(seed)
    episodes = []
    for _ in range(n):
        length = int(torch.randint(12, 20, (1,), generator=g))
        level = torch.randn(1, generator=g)
        obs = 0.3 * torch.randn(length, 3, generator=g)
        obs[0, 0] = level
        left = torch.arange(length, 0, -1).float() / 10
        episodes.append((obs, level * left, torch.randint(2, 10, (1,), generator=g).item()))
    return episodes


def pad(rows):
    lens = torch.tensor([len(o) for o, _ in rows])
    obs = torch.zeros(len(rows), int(lens.max()), 3)
    ret = torch.zeros(len(rows), int(lens.max()))
    for i, (o, r) in enumerate(rows):
        obs[i, :len(o)], ret[i, :len(r)] = o, r
    return obs, ret, lens


def chunk_batches(episodes, rows, max_chunk):
    """Each episode is cut in two, where its worker's fragment ended."""
    for i in range(0, len(episodes), rows):
        group = episodes[i:i + rows]
        first = pad([(o[:c], r[:c]) for o, r, c in group])
        second = pad([(o[c:c + max_chunk], r[c:c + max_chunk]) for o, r, c in group])
        yield first, second
