import torch
import torch.nn as nn


def subsequent_mask(size):
    return torch.triu(torch.full((size, size), float("-inf")), diagonal=1)


class MelodyTransformer(nn.Module):
    def __init__(self, n_notes=30, d_model=16, nhead=2, max_len=64):
        super().__init__()
        self.notes = nn.Embedding(n_notes, d_model)
        self.where = nn.Embedding(max_len, d_model)
        layer = nn.TransformerEncoderLayer(d_model, nhead, dim_feedforward=32, dropout=0.0)
        self.encoder = nn.TransformerEncoder(layer, num_layers=2, enable_nested_tensor=False)
        self.to_notes = nn.Linear(d_model, n_notes)

    def forward(self, x):
        # x: (steps, batch)
        steps = torch.arange(x.size(0)).unsqueeze(1)
        h = self.notes(x) + self.where(steps)
        mask = subsequent_mask(x.size(0))
        return self.to_notes(self.encoder(h, mask=mask))


torch.manual_seed(15)
melodies = torch.randint(0, 30, (9, 40))
net = MelodyTransformer()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)

for epoch in range(2):
    losses = []
    for song in melodies.split(5, dim=1):
        logits = net(song[:-1])
        loss = criterion(logits.reshape(-1, 30), song[1:].reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    print(f"epoch {epoch} mean loss {sum(losses) / len(losses):.4f}")
