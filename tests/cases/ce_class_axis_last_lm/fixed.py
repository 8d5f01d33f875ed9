import math

import torch
import torch.nn as nn


class Block(nn.Module):
    def __init__(self, dim, n_head):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.attn = nn.MultiheadAttention(dim, n_head, batch_first=True)
        self.mlp = nn.Sequential(nn.Linear(dim, 4 * dim), nn.GELU(), nn.Linear(4 * dim, dim))

    def forward(self, x, mask):
        y = self.ln1(x)
        x = x + self.attn(y, y, y, attn_mask=mask, need_weights=False)[0]
        return x + self.mlp(self.ln2(x))


class TinyGPT(nn.Module):
    def __init__(self, vocab=50, block=10, dim=24):
        super().__init__()
        self.wte = nn.Embedding(vocab, dim)
        self.wpe = nn.Embedding(block, dim)
        self.block = Block(dim, 3)
        self.lm_head = nn.Linear(dim, vocab, bias=False)

    def forward(self, idx):
        t = idx.size(1)
        x = self.wte(idx) + self.wpe(torch.arange(t))
        mask = torch.triu(torch.ones(t, t, dtype=torch.bool), diagonal=1)
        return self.lm_head(self.block(x, mask))


torch.manual_seed(0)
corpus = torch.randint(0, 50, (400,))
gpt = TinyGPT()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.AdamW(gpt.parameters(), lr=1e-3)
for it in range(6):
    starts = torch.randint(0, 389, (4,)).tolist()
    x = torch.stack([corpus[s:s + 10] for s in starts])
    y = torch.stack([corpus[s + 1:s + 11] for s in starts])
    logits = gpt(x)
    loss = criterion(logits.transpose(1, 2), y)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
    print(f"iter {it}: loss {loss.item():.4f}, ppl {math.exp(loss.item()):.1f}")
