import torch
from torch import nn
import torch.nn.functional as F


class Rotary(nn.Module):
    def __init__(self, dim, theta=100.0):
        super().__init__()
        self.register_buffer("inv_freq", theta ** (-torch.arange(0, dim, 2) / dim))
        self.cache = {}

    def angles(self, n, offset):
        key = n
        if key not in self.cache:
            pos = torch.arange(offset, offset + n)
            self.cache[key] = torch.outer(pos.float(), self.inv_freq).repeat(1, 2)
        return self.cache[key]

    def rotate(self, t, offset=0):
        freqs = self.angles(t.shape[-2], offset)
        a, b = t.chunk(2, dim=-1)
        return t * freqs.cos() + torch.cat([-b, a], -1) * freqs.sin()


class ChunkedLM(nn.Module):
    """Reads a sequence chunk by chunk and keeps the keys of earlier chunks."""

    def __init__(self, vocab, dim=32, chunk=6):
        super().__init__()
        self.chunk = chunk
        self.emb = nn.Embedding(vocab, dim)
        self.qkv = nn.Linear(dim, 3 * dim)
        self.rotary = Rotary(dim)
        self.out = nn.Linear(dim, vocab)

    def forward(self, ids):
        keys = values = None
        logits = []
        for start in range(0, ids.shape[1], self.chunk):
            x = self.emb(ids[:, start:start + self.chunk])
            q, k, v = self.qkv(x).chunk(3, dim=-1)
            q, k = self.rotary.rotate(q, start), self.rotary.rotate(k, start)
            keys = k if keys is None else torch.cat([keys, k], 1)
            values = v if values is None else torch.cat([values, v], 1)
            n, m = q.shape[1], keys.shape[1]
            allowed = torch.ones(n, m, dtype=torch.bool).tril(m - n)
            y = F.scaled_dot_product_attention(q, keys, values, attn_mask=allowed)
            logits.append(self.out(x + y))
        return torch.cat(logits, 1)


def copy_task(n, lag, length=18, vocab=12):
    ids = torch.randint(0, vocab, (n, length))
    target = ids.roll(lag, dims=1)
    target[:, :lag] = -100
    return ids, target


torch.manual_seed(2)
model = ChunkedLM(12)
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
for step in range(1, 81):
    ids, target = copy_task(32, lag=3)
    loss = F.cross_entropy(model(ids).flatten(0, 1), target.flatten(), ignore_index=-100)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 20 == 0:
        print("step", step, "loss", round(loss.item(), 4))
ids, target = copy_task(64, lag=3)
hit = (model(ids).argmax(-1) == target)[target >= 0].float().mean()
print("copied", round(hit.item(), 4))
