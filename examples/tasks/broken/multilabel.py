"""Five labels for each text, 0 or 1 as whole numbers, which the loss cannot take."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
texts = torch.randint(0, 20, (90, 8))
labels = torch.stack([(texts == topic).any(1) for topic in range(5)], dim=1).long()

words, head = nn.Embedding(20, 32), nn.Linear(32, 5)
optimizer = torch.optim.Adam([*words.parameters(), *head.parameters()], lr=0.02)
criterion = nn.BCEWithLogitsLoss()

for epoch in range(10):
    for text, label in DataLoader(TensorDataset(texts, labels), batch_size=16):
        logits = head(words(text).amax(1))
        loss = criterion(logits, label)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: loss {loss.item():.3f}")
