import torch
from torch import nn
import torch.nn.functional as F


class MaskedLM(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.emb, self.pos = nn.Embedding(vocab, dim), nn.Embedding(32, dim)
        layer = nn.TransformerEncoderLayer(dim, 4, 2 * dim, dropout=0.0, batch_first=True)
        self.body = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)
        self.head = nn.Linear(dim, vocab)

    def forward(self, ids):
        return self.head(self.body(self.emb(ids) + self.pos(torch.arange(ids.size(1)))))


def fit(lm, text, steps, mask_id):
    opt = torch.optim.Adam(lm.parameters(), lr=5e-3)
    g = torch.Generator().manual_seed(5)
    for _ in range(steps):
        hide = torch.rand(text.shape, generator=g) < 0.3
        logits = lm(text.masked_fill(hide, mask_id))
        loss = F.cross_entropy(logits[hide], text[hide])
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()
