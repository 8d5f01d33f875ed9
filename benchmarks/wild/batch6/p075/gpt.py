import torch
from torch import nn


class GPTModel(nn.Module):
    def __init__(self, vocab, context, dim, heads, layers):
        super().__init__()
        self.tok, self.pos = nn.Embedding(vocab, dim), nn.Embedding(context, dim)
        layer = nn.TransformerEncoderLayer(dim, heads, 4 * dim, dropout=0.0, batch_first=True, norm_first=True)
        self.blocks = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, vocab, bias=False)

    def forward(self, ids):
        t = ids.size(1)
        x = self.tok(ids) + self.pos(torch.arange(t))
        mask = torch.ones(t, t, dtype=torch.bool).triu(1)
        return self.head(self.norm(self.blocks(x, mask=mask)))
