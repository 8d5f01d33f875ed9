import torch
from torch import nn
import torch.nn.functional as F


class Seq2Seq(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.enc = nn.GRU(dim, dim, batch_first=True)
        self.dec = nn.GRU(2 * dim, dim, batch_first=True)
        self.out = nn.Linear(dim, vocab)

    def encode(self, src):
        return self.enc(self.emb(src))[1][0]

    def decode(self, memory, tgt_in):
        ctx = memory.unsqueeze(1).expand(-1, tgt_in.shape[1], -1)
        hid, _ = self.dec(torch.cat([self.emb(tgt_in), ctx], -1))
        return self.out(hid)


def make_batch(n, vocab, length=5):
    src = torch.randint(2, vocab, (n, length))
    return src, src.flip(1)


def candidates(tgt, k, vocab):
    """k hypotheses a source, grouped by source; the first of each group is the reference."""
    hyps = tgt.unsqueeze(1).repeat(1, k, 1)
    noise = torch.randint(2, vocab, hyps.shape)
    swap = torch.rand(hyps.shape) < 0.5
    swap[:, 0] = False
    hyps = torch.where(swap, noise, hyps)
    cost = (hyps != tgt.unsqueeze(1)).float().mean(-1)
    return hyps.flatten(0, 1), cost


def log_likelihood(model, memory, hyps):
    bos = torch.ones(len(hyps), 1, dtype=torch.long)
    logits = model.decode(memory, torch.cat([bos, hyps[:, :-1]], 1))
    return -F.cross_entropy(logits.transpose(1, 2), hyps, reduction="none").sum(1)


def risk(model, src, tgt, k, vocab):
    hyps, cost = candidates(tgt, k, vocab)
    memory = model.encode(src)
    memory = memory.repeat_interleave(k, 0)
    scores = log_likelihood(model, memory, hyps).view(len(src), k)
    return (scores.softmax(-1) * cost).sum(-1).mean(), scores.argmax(-1)


def main(vocab=15, k=4):
    torch.manual_seed(0)
    model = Seq2Seq(vocab, 32)
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    for step in range(50):
        src, tgt = make_batch(16, vocab)
        loss, best = risk(model, src, tgt, k, vocab)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 10 == 9:
            print(f"step {step + 1} risk {loss.item():.4f}")
    with torch.no_grad():
        _, best = risk(model, *make_batch(128, vocab), k, vocab)
    print(f"reference ranked first {(best == 0).float().mean().item():.4f}")


main()
