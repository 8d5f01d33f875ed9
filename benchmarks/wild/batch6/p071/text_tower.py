import torch
from torch import nn

from blocks import ResidualAttentionBlock


class TextTower(nn.Module):
    def __init__(self, context_length, vocab_size, width, heads, layers, embed_dim):
        super().__init__()
        self.token = nn.Embedding(vocab_size, width)
        self.pos = nn.Parameter(torch.randn(context_length, width) * 0.02)
        self.blocks = nn.ModuleList(ResidualAttentionBlock(width, heads) for _ in range(layers))
        self.ln_final = nn.LayerNorm(width)
        self.proj = nn.Linear(width, embed_dim, bias=False)
        mask = torch.full((context_length, context_length), float("-inf")).triu(1)
        self.register_buffer("attn_mask", mask, persistent=False)

    def forward(self, tokens):
        x = self.token(tokens) + self.pos
        x = x.permute(1, 0, 2)
        for block in self.blocks:
            x = block(x, self.attn_mask)
        x = x.permute(1, 0, 2)
        x = self.ln_final(x)
        end = tokens.argmax(dim=-1)
        return self.proj(x[torch.arange(len(x)), end])
