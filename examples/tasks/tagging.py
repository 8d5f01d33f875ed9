"""Does a word repeat the one before, rise, or fall? A tag for each word of a text."""

import torch
from torch import nn
from torch.utils.data import DataLoader

from wellshaped.batch import BucketSampler
from wellshaped.nn import MaskedGRU, task

torch.manual_seed(0)
moves = task("tagging", num_classes=3)
lengths = torch.randint(3, 15, (90,)).tolist()
texts = [torch.randint(0, 6, (length,)) for length in lengths]
# The word before the first one is 0.
samples = [
    (text, text.diff(prepend=torch.zeros(1, dtype=torch.int64)).sign() + 1) for text in texts
]

words, reader, head = nn.Embedding(6, 16), MaskedGRU(16, 32), moves.head(32)
parts = nn.ModuleList([words, reader, head])
optimizer = torch.optim.Adam(parts.parameters(), lr=0.02)
sampler = BucketSampler(lengths, batch_size=16)
loader = DataLoader(samples, batch_sampler=sampler, collate_fn=moves.collate)

for epoch in range(10):
    sampler.set_epoch(epoch)
    metrics = moves.metrics()
    for batch in loader:
        states, _ = reader(words(batch.inputs.values), batch.inputs)  # (B, T, 32)
        logits = head(states, batch.inputs)  # (B, T, 3)
        loss = moves.loss(logits, batch.targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        metrics.update(logits, batch.targets)
    right = metrics.compute()["token_accuracy"]
    print(f"epoch {epoch}: loss {loss.item():.3f}, {right:.0%} of the tags right")
