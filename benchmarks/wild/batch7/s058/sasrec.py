import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.attn = nn.MultiheadAttention(dim, heads, batch_first=True)
        self.ln1, self.ln2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.ff = nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, dim))

    def forward(self, x, blocked):
        h = self.ln1(x)
        x = x + self.attn(h, x, x, attn_mask=blocked, need_weights=False)[0]
        return x + self.ff(self.ln2(x))


class SASRec(nn.Module):
    def __init__(self, items, maxlen, dim, heads, blocks):
        super().__init__()
        self.heads = heads
        self.item = nn.Embedding(items + 1, dim, padding_idx=0)
        self.pos = nn.Embedding(maxlen + 1, dim)
        self.blocks = nn.ModuleList(Block(dim, heads) for _ in range(blocks))
        self.norm = nn.LayerNorm(dim)

    def log2feats(self, seq):
        b, t = seq.shape
        real = seq != 0
        back = torch.arange(t, 0, -1)
        x = (self.item(seq) + self.pos(back)) * real.unsqueeze(-1)
        blocked = torch.ones(t, t, dtype=torch.bool).triu(1)
        for block in self.blocks:
            x = block(x, blocked) * real.unsqueeze(-1)
        return self.norm(x)

    def forward(self, seq, pos, neg):
        feats = self.log2feats(seq)
        return (feats * self.item(pos)).sum(-1), (feats * self.item(neg)).sum(-1)

    def predict(self, seq):
        return self.log2feats(seq)[:, -1] @ self.item.weight[1:].T
