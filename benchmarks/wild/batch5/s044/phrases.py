import torch

BOS = 1


def make_phrases(n, length=8, seed=0):
    """The target is the source shifted in the alphabet, each token added to the last one."""
    g = torch.Generator().manual_seed(seed)
    src = torch.randint(2, 24, (n, length), generator=g)
    tgt = torch.zeros_like(src)
    last = torch.zeros(n, dtype=torch.long)
    for t in range(length):
        last = (last + src[:, t]) % 22
        tgt[:, t] = last + 2
    return src, tgt
