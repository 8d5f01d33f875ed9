import random

import torch
from torch.nn.utils.rnn import pad_sequence

PAD, SOS, EOS = 0, 1, 2


def read_pairs(opt, n_pairs):
    rng = random.Random(11)
    pairs = []
    for _ in range(n_pairs):
        n = rng.randint(5, 75)
        src = [rng.randint(3, opt.src_vocab - 1) for _ in range(n)]
        trg = [SOS] + [(w * 7) % (opt.trg_vocab - 3) + 3 for w in src] + [EOS]
        pairs.append((src, trg))
    # drop sentences that are too long
    return [(s, t) for s, t in pairs if len(s) < opt.max_strlen and len(t) < opt.max_strlen]


def make_batches(opt, n_pairs):
    pairs = sorted(read_pairs(opt, n_pairs), key=lambda p: len(p[0]))
    batches = []
    for i in range(0, len(pairs), opt.batchsize):
        chunk = pairs[i:i + opt.batchsize]
        src = pad_sequence([torch.tensor(s) for s, _ in chunk], batch_first=True, padding_value=PAD)
        trg = pad_sequence([torch.tensor(t) for _, t in chunk], batch_first=True, padding_value=PAD)
        batches.append((src, trg))
    return batches
