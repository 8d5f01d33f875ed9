import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class CachedAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)

    def forward(self, x, past=None):
        b, t, d = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        if past is not None:
            k = torch.cat([past[0], k], dim=2)
            v = torch.cat([past[1], v], dim=2)
        total = k.shape[2]
        scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
        allowed = torch.ones(t, total, dtype=torch.bool).tril(total - t)
        scores = scores.masked_fill(~allowed, float("-inf"))
        y = (scores.softmax(-1) @ v).transpose(1, 2).reshape(b, t, d)
        return self.proj(y), (k, v)


class MiniGPT(nn.Module):
    def __init__(self, vocab, dim, heads, depth, max_len):
        super().__init__()
        self.wte = nn.Embedding(vocab, dim)
        self.wpe = nn.Embedding(max_len, dim)
        self.attn = nn.ModuleList([CachedAttention(dim, heads) for _ in range(depth)])
        self.norm = nn.ModuleList([nn.LayerNorm(dim) for _ in range(depth)])
        self.head = nn.Linear(dim, vocab)

    def forward(self, ids, past_key_values=None):
        if past_key_values is None:
            past_key_values = [None] * len(self.attn)
            past_len = 0
        else:
            past_len = past_key_values[0][0].shape[2]
        pos = torch.arange(ids.shape[1])
        x = self.wte(ids) + self.wpe(pos)
        present = []
        for attn, norm, past in zip(self.attn, self.norm, past_key_values):
            y, kv = attn(norm(x), past)
            x = x + y
            present.append(kv)
        return self.head(x), present


def generate(model, prompt, n):
    logits, cache = model(prompt)
    out = prompt
    for _ in range(n):
        nxt = logits[:, -1].argmax(-1, keepdim=True)
        out = torch.cat([out, nxt], 1)
        logits, cache = model(nxt, cache)
    return out


torch.manual_seed(0)
pattern = torch.tensor([1, 4, 2, 7, 7, 3, 5, 1, 6, 0, 2, 2, 8, 4, 9, 3])
model = MiniGPT(10, 32, 4, 2, 16)
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
for step in range(60):
    shift = torch.randint(0, 3, (16, 1))
    ids = (pattern + shift) % 10
    logits, _ = model(ids[:, :-1])
    loss = F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())
    opt.zero_grad()
    loss.backward()
    opt.step()
print("loss", round(loss.item(), 4))
model.eval()
with torch.no_grad():
    made = generate(model, pattern[None, :3], 12)[0]
print("generated", made.tolist())
print("right", int((made == pattern[:15]).sum()), "of 15")
