import torch
from torch import nn
import torch.nn.functional as F


class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))

    def forward(self, x):
        b, num_tokens, d_in = x.shape
        keys, queries, values = self.W_key(x), self.W_query(x), self.W_value(x)
        attn_scores = queries @ keys.transpose(1, 2)
        attn_scores = attn_scores.masked_fill(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
        return attn_weights @ values


class Heads(nn.Module):
    def __init__(self, d_in, d_out, context_length, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(
            [CausalAttention(d_in, d_out // num_heads, context_length) for _ in range(num_heads)])

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], dim=-1)


class ToyGPT(nn.Module):
    def __init__(self, vocab, dim, context_length):
        super().__init__()
        self.tok = nn.Embedding(vocab, dim)
        self.pos = nn.Embedding(context_length, dim)
        self.att = Heads(dim, dim, context_length, 2)
        self.norm = nn.LayerNorm(dim)
        self.out = nn.Linear(dim, vocab)

    def forward(self, idx):
        x = self.tok(idx) + self.pos(torch.arange(idx.shape[1]))
        return self.out(self.norm(x + self.att(x)))


def sliding_windows(tokens, length, stride):
    for i in range(0, len(tokens) - length, stride):
        yield tokens[i:i + length], tokens[i + 1:i + length + 1]


torch.manual_seed(123)
text = "the cat sat on the mat and the dog sat on the cat while the mat lay on the floor " * 12
chars = sorted(set(text))
tokens = torch.tensor([chars.index(c) for c in text])
pairs = list(sliding_windows(tokens, 16, 8))
model = ToyGPT(len(chars), 32, 16)
opt = torch.optim.AdamW(model.parameters(), lr=4e-3)
for epoch in range(3):
    for i in range(0, len(pairs), 16):
        x, y = (torch.stack(side) for side in zip(*pairs[i:i + 16]))
        loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
    print("epoch", epoch, "loss", round(loss.item(), 4))
with torch.no_grad():
    probe = pairs[0][0][None]
    changed = probe.clone()
    changed[0, -1] = 0
    drift = (model(probe)[0, :-1] - model(changed)[0, :-1]).abs().max()
print("drift of earlier logits", round(drift.item(), 4))
