"""Which remainder by 3 is most frequent in a text? A recurrent reader of three classes."""

import torch
from torch import nn
from torch.utils.data import DataLoader

from wellshaped.batch import BucketSampler
from wellshaped.nn import MaskedGRU, task

torch.manual_seed(0)
kinds = task("multiclass", num_classes=3)
lengths = torch.randint(3, 20, (90,)).tolist()
texts = [torch.randint(1, 30, (length,)) for length in lengths]
samples = [(text, int((text % 3).mode().values)) for text in texts]

words, reader, head = nn.Embedding(30, 16), MaskedGRU(16, 24), kinds.head(24)
parts = nn.ModuleList([words, reader, head])
optimizer = torch.optim.Adam(parts.parameters(), lr=0.02)
sampler = BucketSampler(lengths, batch_size=16)
loader = DataLoader(samples, batch_sampler=sampler, collate_fn=kinds.collate)

for epoch in range(8):
    sampler.set_epoch(epoch)
    metrics = kinds.metrics()
    for batch in loader:
        states, _ = reader(words(batch.inputs.values), batch.inputs)  # (B, T, 24)
        logits = head(states, batch.inputs)  # (B, 3)
        loss = kinds.loss(logits, batch.targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        metrics.update(logits, batch.targets)
    print(f"epoch {epoch}: loss {loss.item():.3f}, {metrics.compute()['accuracy']:.0%} right")
