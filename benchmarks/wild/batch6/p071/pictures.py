import torch


def caption_batches(n, size, length, vocab):
    """The last token of the vocabulary ends a caption."""
    g = torch.Generator().manual_seed(1)
    kind = torch.randint(1, 6, (n,), generator=g)
    pics = 0.3 * torch.randn(n, 3, 12, 12, generator=g)
    tokens = torch.zeros(n, length, dtype=torch.long)
    for i in range(n):
        pics[i, kind[i] % 3, :, kind[i] * 2:] += 1
        words = int(torch.randint(3, length - 1, (1,), generator=g))
        tokens[i, :words] = torch.randint(6, vocab - 1, (words,), generator=g)
        tokens[i, 1] = kind[i]
        tokens[i, words] = vocab - 1
    for i in range(0, n, size):
        yield pics[i:i + size], tokens[i:i + size]
