import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(4)
VOCAB, IGNORE = 12, -100


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, 16)
        self.rnn = nn.GRU(16, 16, num_layers=2, batch_first=True)
        self.head = nn.Linear(16, VOCAB)

    def forward(self, input_ids, labels=None):
        logits = self.head(self.rnn(self.embed(input_ids))[0])
        if labels is None:
            return logits
        labels = F.pad(labels, (0, 1), value=IGNORE)[:, 1:]
        return F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=IGNORE)


model = Model()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
for step in range(3):
    ids = torch.randint(1, VOCAB, (4, 8))
    labels = ids.clone()
    labels[:, :3] = IGNORE
    loss = model(ids, labels=labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, f"{loss.item():.4f}")
with torch.no_grad():
    ids = torch.randint(1, VOCAB, (2, 3))
    for _ in range(3):
        ids = torch.cat([ids, model(ids)[:, -1:].argmax(-1)], dim=1)
    print(ids.tolist())
