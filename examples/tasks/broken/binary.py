"""Yes or no from pooled words, with scores in a column and labels in a vector."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
texts = torch.randint(1, 30, (90, 12))
labels = ((texts % 2).float().mean(1) < 0.5).float()

words, head = nn.Embedding(30, 16), nn.Linear(16, 1)
optimizer = torch.optim.Adam([*words.parameters(), *head.parameters()], lr=0.02)
criterion = nn.BCEWithLogitsLoss()

for epoch in range(8):
    for text, label in DataLoader(TensorDataset(texts, labels), batch_size=16):
        scores = head(words(text).mean(1))
        loss = criterion(scores, label)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: loss {loss.item():.3f}")
