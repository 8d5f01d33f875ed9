import torch


def make_dialogues(n, max_len, reply_len, vocab, seed):
    """Padded with 0 to max_len; the reply repeats the start of the question."""
    g = torch.Generator().manual_seed(seed)
    src = torch.zeros(n, max_len, dtype=torch.long)
    for i in range(n):
        length = int(torch.randint(reply_len, max_len + 1, (1,), generator=g))
        src[i, :length] = torch.randint(2, vocab, (length,), generator=g)
    return src, src[:, :reply_len].clone()
