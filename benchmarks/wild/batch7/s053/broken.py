import argparse

import torch
from torch import nn
import torch.nn.functional as F

VOCAB, BOS = 20, 1


class Encoder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, dim)
        self.rnn = nn.GRU(dim, dim, batch_first=True)

    def forward(self, src):
        return self.rnn(self.emb(src))


class Decoder(nn.Module):
    """One step at a time, with the attended context fed into the next step."""

    def __init__(self, dim):
        super().__init__()
        self.dim = dim
        self.emb = nn.Embedding(VOCAB, dim)
        self.cell = nn.GRUCell(2 * dim, dim)
        self.join = nn.Linear(2 * dim, dim)
        self.out = nn.Linear(dim, VOCAB)

    def forward(self, words, hidden, memory):
        feed = torch.zeros(len(words), self.dim)
        outputs = []
        for emb_t in self.emb(words).unbind(dim=1):
            h = self.cell(torch.cat([emb_t, feed], dim=1), hidden)
            scores = torch.bmm(memory, h.unsqueeze(2)).softmax(dim=1)
            context = (scores * memory).sum(dim=1)
            feed = torch.tanh(self.join(torch.cat([h, context], dim=1)))
            outputs.append(self.out(feed))
        return torch.stack(outputs, dim=1)


def phrases(n, seed=2):
    """The target repeats the source's second half, then its first."""
    g = torch.Generator().manual_seed(seed)
    src = torch.randint(2, VOCAB, (n, 8), generator=g)
    return src, src.roll(4, dims=1)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--dim", type=int, default=32)
    p.add_argument("--epochs", type=int, default=6)
    p.add_argument("--batch", type=int, default=16)
    args = p.parse_args()
    torch.manual_seed(0)
    encoder, decoder = Encoder(args.dim), Decoder(args.dim)
    opt = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()], lr=5e-3)
    src, tgt = phrases(192)
    for epoch in range(args.epochs):
        total = 0.0
        for rows in torch.randperm(len(src)).split(args.batch):
            memory, state = encoder(src[rows])
            words = torch.cat([torch.full((len(rows), 1), BOS), tgt[rows, :-1]], dim=1)
            loss = F.cross_entropy(decoder(words, state[0], memory).transpose(1, 2), tgt[rows])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(rows)
        print(f"epoch {epoch} loss {total / len(src):.4f}")


if __name__ == "__main__":
    main()
