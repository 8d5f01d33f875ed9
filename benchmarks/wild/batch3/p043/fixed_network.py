import torch
from torch import nn

from fixed_positions import PositionalEncoding


class StockTransformer(nn.Module):
    def __init__(self, n_features, d_model, nhead, max_len):
        super().__init__()
        self.inp = nn.Linear(n_features, d_model)
        self.pos = PositionalEncoding(d_model, max_len)
        layer = nn.TransformerEncoderLayer(d_model, nhead, 32, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)
        self.out = nn.Linear(d_model, 1)

    def forward(self, x):
        h = self.pos(self.inp(x))
        h = self.encoder(h)
        return self.out(h[:, -1]).squeeze(-1)
