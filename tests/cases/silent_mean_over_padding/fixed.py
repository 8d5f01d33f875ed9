import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

PAD = 0
torch.manual_seed(38)

texts = [torch.randint(1, 50, (n,)) for n in torch.randint(1, 18, (32,)).tolist()]
toxic = torch.tensor([float((t < 10).float().mean() > 0.2) for t in texts])


class AverageClassifier(nn.Module):
    def __init__(self, vocab=50, dim=16):
        super().__init__()
        self.embedding = nn.Embedding(vocab, dim)
        self.hidden = nn.Linear(dim, dim)
        self.score = nn.Linear(dim, 1)

    def forward(self, tokens, mask):
        h = torch.tanh(self.hidden(self.embedding(tokens)))
        mask = mask.unsqueeze(-1)
        pooled = (h * mask).sum(dim=1) / mask.sum(dim=1)
        return self.score(pooled).squeeze(-1)


model = AverageClassifier()
bce = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)

for epoch in range(9):
    for k in range(0, len(texts), 8):
        tokens = pad_sequence(texts[k:k + 8], batch_first=True, padding_value=PAD)
        mask = (tokens != PAD).float()
        logits = model(tokens, mask)
        loss = bce(logits, toxic[k:k + 8])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if epoch % 4 == 0:
        print(f"epoch {epoch} loss {loss.item():.4f}")

with torch.no_grad():
    alone = texts[0].unsqueeze(0)
    padded = torch.cat([alone, torch.zeros(1, 10, dtype=torch.long)], dim=1)
    change = model(padded, (padded != PAD).float()) - model(alone, (alone != PAD).float())
print(f"padding changes the score by {change.abs().item():.4f}")
