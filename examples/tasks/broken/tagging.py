"""A tag for each word, with the classes on the last axis, where the loss looks for positions."""

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

torch.manual_seed(0)
lengths = torch.randint(3, 15, (90,)).tolist()
texts = [torch.randint(0, 6, (length,)) for length in lengths]
samples = [
    (text, text.diff(prepend=torch.zeros(1, dtype=torch.int64)).sign() + 1) for text in texts
]


def collate(pairs):
    """Words padded with 0, tags with the number that the loss leaves out."""
    words, tags = zip(*pairs, strict=True)
    return (
        pad_sequence(words, batch_first=True),
        pad_sequence(tags, batch_first=True, padding_value=-100),
    )


words, reader, head = nn.Embedding(6, 16), nn.GRU(16, 32, batch_first=True), nn.Linear(32, 3)
parts = nn.ModuleList([words, reader, head])
optimizer = torch.optim.Adam(parts.parameters(), lr=0.02)
criterion = nn.CrossEntropyLoss()

for epoch in range(8):
    for text, tags in DataLoader(samples, batch_size=16, collate_fn=collate):
        states, _ = reader(words(text))
        logits = head(states)
        loss = criterion(logits, tags)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: loss {loss.item():.3f}")
