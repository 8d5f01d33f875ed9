"""One of three classes, with the class numbers as a column of a table."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
texts = torch.randint(1, 30, (90, 12))
labels = (texts % 3).mode(dim=1, keepdim=True).values

words, reader, head = nn.Embedding(30, 16), nn.GRU(16, 24, batch_first=True), nn.Linear(24, 3)
parts = nn.ModuleList([words, reader, head])
optimizer = torch.optim.Adam(parts.parameters(), lr=0.02)
criterion = nn.CrossEntropyLoss()

for epoch in range(8):
    for text, label in DataLoader(TensorDataset(texts, labels), batch_size=16):
        states, _ = reader(words(text))
        loss = criterion(head(states.mean(1)), label)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: loss {loss.item():.3f}")
