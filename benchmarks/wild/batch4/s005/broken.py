import argparse

import torch
from torch import nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pad_sequence

IGNORE = -100


def make_corpus(n, vocab, seed=5):
    g = torch.Generator().manual_seed(seed)
    corpus = []
    for i in range(n):
        length = int(torch.randint(4, 40, (1,), generator=g))
        first = int(torch.randint(1, vocab, (1,), generator=g))
        step = 1 if length < 20 else 3
        corpus.append(torch.tensor([(first + step * k) % (vocab - 1) + 1 for k in range(length)]))
    return sorted(corpus, key=len)


def microbatches(corpus, size):
    for i in range(0, len(corpus), size):
        rows = corpus[i:i + size]
        x = pad_sequence([r[:-1] for r in rows], batch_first=True)
        y = pad_sequence([r[1:] for r in rows], batch_first=True, padding_value=IGNORE)
        yield x, y


class GRULM(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim, padding_idx=0)
        self.rnn = nn.GRU(dim, dim, batch_first=True)
        self.out = nn.Linear(dim, vocab)

    def forward(self, x):
        return self.out(self.rnn(self.emb(x))[0])


def train(args):
    torch.manual_seed(args.seed)
    corpus = make_corpus(48, args.vocab)
    model = GRULM(args.vocab, 32)
    optim = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(args.epochs):
        pending, step_loss = [], 0.0
        for x, y in microbatches(corpus, args.micro):
            pending.append((x, y))
            if len(pending) < args.accum:
                continue
            n_items = sum((t != IGNORE).sum() for _, t in pending)
            for xb, yb in pending:
                logits = model(xb)
                loss = F.cross_entropy(logits.transpose(1, 2), yb, ignore_index=IGNORE)
                loss = loss / args.accum
                loss.backward()
                step_loss += loss.item()
            optim.step()
            optim.zero_grad()
            pending = []
        print("epoch %d  loss %.4f  (%d tokens in the last step)" % (epoch, step_loss / 2, n_items))


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--vocab", type=int, default=30)
    p.add_argument("--micro", type=int, default=6)
    p.add_argument("--accum", type=int, default=4)
    p.add_argument("--epochs", type=int, default=6)
    p.add_argument("--seed", type=int, default=0)
    train(p.parse_args())
