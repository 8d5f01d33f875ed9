import math

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(1)
N_TOKENS, SEQ, DIM, HEADS = 20, 12, 32, 4


class SelfAttention(nn.Module):
    def __init__(self, dim, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.head_dim = dim // n_heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, dim)

    def forward(self, x):
        bsz, length, dim = x.shape
        qkv = self.qkv(x).reshape(bsz, length, self.n_heads, 3 * self.head_dim)
        q, k, v = qkv.permute(0, 2, 1, 3).chunk(3, dim=-1)
        scores = q @ k.transpose(-1, -2) / math.sqrt(self.head_dim)
        values = scores.softmax(dim=-1) @ v
        values = values.reshape(bsz, length, dim)
        return self.out(values)


class Block(nn.Module):
    def __init__(self, dim, n_heads):
        super().__init__()
        self.attn = SelfAttention(dim, n_heads)
        self.ln1, self.ln2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.mlp = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x):
        x = x + self.attn(self.ln1(x))
        return x + self.mlp(self.ln2(x))


class Tagger(nn.Module):
    """Predicts, for each position, the token that stands three places before."""

    def __init__(self):
        super().__init__()
        self.tok = nn.Embedding(N_TOKENS, DIM)
        self.pos = nn.Parameter(0.1 * torch.randn(SEQ, DIM))
        self.blocks = nn.Sequential(Block(DIM, HEADS))
        self.head = nn.Linear(DIM, N_TOKENS)

    def forward(self, ids):
        return self.head(self.blocks(self.tok(ids) + self.pos))


def batches(n, size=16):
    for _ in range(n):
        ids = torch.randint(0, N_TOKENS, (size, SEQ))
        yield ids, ids.roll(3, dims=1)


model = Tagger()
opt = torch.optim.AdamW(model.parameters(), lr=1e-2)
for step, (ids, target) in enumerate(batches(40)):
    logits = model(ids)
    loss = F.cross_entropy(logits.flatten(0, 1), target.flatten())
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 10 == 9:
        print("step", step + 1, "loss", round(loss.item(), 4))

with torch.no_grad():
    ids, target = next(batches(1, 128))
    acc = (model(ids).argmax(-1) == target).float().mean()
print("accuracy", round(acc.item(), 4))
