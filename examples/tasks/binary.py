"""Is a text longer on even words or on odd ones? Texts of any length to yes or no."""

import torch
from torch import nn
from torch.utils.data import DataLoader

from wellshaped.batch import BucketSampler
from wellshaped.nn import task

torch.manual_seed(0)
even = task("binary")
lengths = torch.randint(3, 20, (90,)).tolist()
texts = [torch.randint(1, 30, (length,)) for length in lengths]
samples = [(text, (text % 2).float().mean() < 0.5) for text in texts]

words, head = nn.Embedding(30, 16), even.head(16)
optimizer = torch.optim.Adam([*words.parameters(), *head.parameters()], lr=0.02)
sampler = BucketSampler(lengths, batch_size=16)
loader = DataLoader(samples, batch_sampler=sampler, collate_fn=even.collate)

for epoch in range(8):
    sampler.set_epoch(epoch)
    metrics = even.metrics()
    for batch in loader:
        scores = head(words(batch.inputs.values), batch.inputs)  # (B,)
        loss = even.loss(scores, batch.targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        metrics.update(scores, batch.targets)
    print(f"epoch {epoch}: loss {loss.item():.3f}, {metrics.compute()['accuracy']:.0%} right")
