import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class HasPair(nn.Module):
    """Does the row hold a 3 and a 7?"""

    def __init__(self, dim=16):
        super().__init__()
        self.embed = nn.Embedding(12, dim)
        self.attention = nn.MultiheadAttention(dim, num_heads=2, batch_first=True)
        self.norm = nn.LayerNorm(dim)
        self.score = nn.Linear(dim, 1)

    def forward(self, tokens):
        x = self.embed(tokens)
        mixed, _ = self.attention(x, x, x, need_weights=False)
        x = self.norm(x + mixed)
        return self.score(x.mean(dim=1)).squeeze(1)


torch.manual_seed(27)
tokens = torch.randint(0, 12, (120, 9))
label = ((tokens == 3).any(dim=1) & (tokens == 7).any(dim=1)).float()
loader = DataLoader(TensorDataset(tokens, label), batch_size=15, shuffle=True)
model = HasPair()
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(8):
    total = 0.0
    for t, y in loader:
        loss = criterion(model(t), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    if epoch % 2:
        print(f"epoch {epoch + 1} loss {total / len(loader):.4f}")
