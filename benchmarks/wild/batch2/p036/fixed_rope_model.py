import math

import torch
import torch.nn as nn

from fixed_rope import RotaryPositionalEmbeddings


class RotaryPEMultiHeadAttention(nn.Module):
    def __init__(self, conf):
        super().__init__()
        self.heads, self.d_k = conf.n_heads, conf.d_model // conf.n_heads
        self.query, self.key, self.value = (nn.Linear(conf.d_model, conf.d_model) for _ in range(3))
        self.output = nn.Linear(conf.d_model, conf.d_model)
        d_rope = int(self.d_k * conf.rope_percentage)
        self.query_rotary_pe = RotaryPositionalEmbeddings(d_rope)
        self.key_rotary_pe = RotaryPositionalEmbeddings(d_rope)

    def forward(self, x):
        t, b, d = x.shape
        q, k, v = (f(x).view(t, b, self.heads, self.d_k) for f in (self.query, self.key, self.value))
        scores = torch.einsum("ibhd,jbhd->ijbh", self.query_rotary_pe(q), self.key_rotary_pe(k)) / math.sqrt(self.d_k)
        causal = torch.tril(torch.ones(t, t, dtype=torch.bool))[:, :, None, None]
        attn = scores.masked_fill(~causal, float("-inf")).softmax(dim=1)
        return self.output(torch.einsum("ijbh,jbhd->ibhd", attn, v).reshape(t, b, d))


class Layer(nn.Module):
    def __init__(self, conf):
        super().__init__()
        self.attn = RotaryPEMultiHeadAttention(conf)
        self.norm1, self.norm2 = nn.LayerNorm(conf.d_model), nn.LayerNorm(conf.d_model)
        self.ff = nn.Sequential(nn.Linear(conf.d_model, conf.d_ff), nn.GELU(), nn.Linear(conf.d_ff, conf.d_model))

    def forward(self, x):
        x = x + self.attn(self.norm1(x))
        return x + self.ff(self.norm2(x))


class AutoregressiveTransformer(nn.Module):
    def __init__(self, n_tokens, conf):
        super().__init__()
        self.src_embed = nn.Embedding(n_tokens, conf.d_model)
        self.layers = nn.Sequential(*[Layer(conf) for _ in range(conf.n_layers)])
        self.generator = nn.Linear(conf.d_model, n_tokens)

    def forward(self, x):
        return self.generator(self.layers(self.src_embed(x)))
