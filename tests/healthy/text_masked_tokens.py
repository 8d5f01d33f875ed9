import torch
from torch import nn

torch.manual_seed(6)
VOCAB, PAD, MASK = 14, 0, 1


class Encoder(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, width, padding_idx=PAD)
        self.places = nn.Embedding(9, width)
        layer = nn.TransformerEncoderLayer(width, 2, 32, dropout=0.0, batch_first=True)
        self.body = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)
        self.head = nn.Linear(width, VOCAB)

    def forward(self, ids):
        hidden = self.embed(ids) + self.places(torch.arange(ids.size(1)))
        return self.head(self.body(hidden, src_key_padding_mask=ids == PAD))


class Copier(nn.Module):
    """Says of every token again which it was, through a narrow space of its own."""

    def __init__(self):
        super().__init__()
        self.inside = nn.Sequential(nn.Embedding(VOCAB, 3), nn.Tanh())
        self.outside = nn.Linear(3, VOCAB)

    def forward(self, ids):
        return self.outside(self.inside(ids))


def logp_of(logits, ids):
    return logits.log_softmax(-1).gather(-1, ids.unsqueeze(-1)).squeeze(-1)


encoder, copier = Encoder(), Copier()
optimizer = torch.optim.Adam([*encoder.parameters(), *copier.parameters()], lr=1e-2)
for step in range(3):
    ids = torch.randint(2, VOCAB, (6, 9))
    lengths = torch.randint(4, 10, (6,))
    real = torch.arange(9) < lengths.unsqueeze(1)
    ids = ids.masked_fill(~real, PAD)
    hidden = (torch.rand(ids.shape) < 0.3) & real
    hidden[:, 0] = True
    guessed = logp_of(encoder(ids.masked_fill(hidden, MASK)), ids)
    denoised = logp_of(encoder(ids), ids)
    copied = logp_of(copier(ids), ids)
    loss = -guessed[hidden].mean() - 0.1 * denoised[real].mean() - copied[real].mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, f"{loss.item():.4f}")
