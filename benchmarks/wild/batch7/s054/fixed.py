import argparse
import math

import torch
from torch import nn
import torch.nn.functional as F

VOCAB = 22


class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv, self.proj = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        self.register_buffer("causal_mask", torch.ones(64, 64, dtype=torch.bool).triu(1))

    def forward(self, x, cache):
        b, t_new, d = x.shape
        q, k, v = self.qkv(x).view(b, t_new, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        seen = 0
        if cache is not None:
            seen = cache["k"].size(2) if "k" in cache else 0
            k = torch.cat([cache["k"], k], dim=2) if seen else k
            v = torch.cat([cache["v"], v], dim=2) if seen else v
            cache["k"], cache["v"] = k, v
        scores = q @ k.transpose(-1, -2) / math.sqrt(q.size(-1))
        mask = self.causal_mask[seen:seen + t_new, :seen + t_new]
        scores = scores.masked_fill(mask, float("-inf"))
        y = scores.softmax(dim=-1) @ v
        return self.proj(y.transpose(1, 2).reshape(b, t_new, d))


class TinyLLM(nn.Module):
    def __init__(self, dim=32, heads=4, layers=2):
        super().__init__()
        self.tok, self.pos = nn.Embedding(VOCAB, dim), nn.Embedding(64, dim)
        self.ln = nn.ModuleList(nn.LayerNorm(dim) for _ in range(2 * layers))
        self.attn = nn.ModuleList(Attention(dim, heads) for _ in range(layers))
        self.mlp = nn.ModuleList(
            nn.Sequential(nn.Linear(dim, 64), nn.GELU(), nn.Linear(64, dim)) for _ in range(layers))
        self.head = nn.Linear(dim, VOCAB)

    def forward(self, ids, caches=None, start=0):
        x = self.tok(ids) + self.pos(torch.arange(start, start + ids.size(1)))
        for i, (attn, mlp) in enumerate(zip(self.attn, self.mlp)):
            x = x + attn(self.ln[2 * i](x), None if caches is None else caches[i])
            x = x + mlp(self.ln[2 * i + 1](x))
        return self.head(x)


@torch.no_grad()
def cached_nll(model, ids, prompt_len):
    caches = [{} for _ in model.attn]
    logits = model(ids[:, :prompt_len], caches)
    total = 0.0
    for t in range(prompt_len, ids.size(1)):
        total += F.cross_entropy(logits[:, -1], ids[:, t]).item()
        logits = model(ids[:, t:t + 1], caches, start=t)
    return total / (ids.size(1) - prompt_len)


def counting(n, length, g):
    start, step = torch.randint(0, VOCAB, (n, 1), generator=g), torch.randint(1, 7, (n, 1), generator=g)
    return (start + step * torch.arange(length)) % VOCAB


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=60)
    args = p.parse_args()
    torch.manual_seed(0)
    g = torch.Generator().manual_seed(1)
    model = TinyLLM()
    opt = torch.optim.AdamW(model.parameters(), lr=4e-3)
    for step in range(args.steps):
        ids = counting(24, 14, g)
        loss = F.cross_entropy(model(ids[:, :-1]).transpose(1, 2), ids[:, 1:])
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 20 == 19:
            print(f"step {step} loss {loss.item():.4f}")
    print(f"nll after the prompt {cached_nll(model, counting(16, 14, g), 6):.4f}")


if __name__ == "__main__":
    main()
