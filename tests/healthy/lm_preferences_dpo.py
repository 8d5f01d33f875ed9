import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pad_sequence

torch.manual_seed(2)
VOCAB, PAD, BETA = 13, 0, 0.1


class CausalLM(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.embed, self.places = nn.Embedding(VOCAB, width), nn.Embedding(24, width)
        layer = nn.TransformerEncoderLayer(width, 2, 32, dropout=0.0, batch_first=True)
        self.body = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)
        self.head = nn.Linear(width, VOCAB)

    def forward(self, ids):
        T = ids.size(1)
        hidden = self.embed(ids) + self.places(torch.arange(T))
        causal = torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1)
        return self.head(self.body(hidden, mask=causal))


def summed(model, ids, mask):
    logits, labels, real = model(ids)[:, :-1], ids[:, 1:], mask[:, 1:]
    each = -F.cross_entropy(logits.transpose(1, 2), labels, reduction="none")
    return (each * real).sum(-1)


def batch_of(rows):
    ids = pad_sequence(rows, batch_first=True, padding_value=PAD)
    lengths = torch.tensor([len(row) for row in rows])
    return ids, torch.arange(ids.size(1))[None] < lengths[:, None]


model, frozen = CausalLM(), CausalLM()
frozen.load_state_dict(model.state_dict())
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
for step in range(3):
    lengths = torch.randint(4, 10, (2, 5)).tolist()
    chosen, rejected = (
        batch_of([torch.randint(1, VOCAB, (n,)) for n in side]) for side in lengths
    )
    with torch.no_grad():
        before = summed(frozen, *chosen) - summed(frozen, *rejected)
    margin = summed(model, *chosen) - summed(model, *rejected) - before
    loss = -F.logsigmoid(BETA * margin).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, f"{loss.item():.4f}")
