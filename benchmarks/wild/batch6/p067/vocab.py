import torch

VOCAB, MASK, LENGTH = 40, 1, 6


def sentences(n):
    g = torch.Generator().manual_seed(3)
    start = torch.randint(2, VOCAB, (n, 1), generator=g)
    step = torch.randint(1, 3, (n, 1), generator=g)
    return (start - 2 + step * torch.arange(LENGTH)) % (VOCAB - 2) + 2
