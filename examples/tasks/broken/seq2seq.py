"""A text backwards, with a decoder that reads all words but the last, and targets not shifted."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

BOS, EOS = 8, 9
torch.manual_seed(0)
texts = torch.randint(0, 8, (120, 4))
ends = torch.ones(120, 1, dtype=torch.int64)
answers = torch.cat([ends * BOS, texts.flip(1), ends * EOS], dim=1)

words, spoken = nn.Embedding(10, 32), nn.Embedding(10, 32)
reader = nn.GRU(32, 48, batch_first=True)
writer = nn.GRU(32, 48, batch_first=True)
head = nn.Linear(48, 10)
parts = nn.ModuleList([words, spoken, reader, writer, head])
optimizer = torch.optim.Adam(parts.parameters(), lr=0.02)
criterion = nn.CrossEntropyLoss()

for epoch in range(12):
    for text, answer in DataLoader(TensorDataset(texts, answers), batch_size=16):
        _, state = reader(words(text))
        states, _ = writer(spoken(answer[:, :-1]), state)
        logits = head(states)
        loss = criterion(logits.transpose(1, 2), answer)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: loss {loss.item():.3f}")
