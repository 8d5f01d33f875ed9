"""Which of two answers is better? A reward for each, learned from pairs alone."""

import torch
from torch import nn
from torch.utils.data import DataLoader

from wellshaped.batch import BucketSampler
from wellshaped.nn import MaskedGRU, task

torch.manual_seed(0)
reward = task("reward")
lengths = torch.randint(3, 15, (90,)).tolist()
# The better answer has the larger words.
samples = [
    {"chosen": torch.randint(8, 30, (length,)), "rejected": torch.randint(1, 23, (length,))}
    for length in lengths
]

words, reader, head = nn.Embedding(30, 16), MaskedGRU(16, 24), reward.head(24)
parts = nn.ModuleList([words, reader, head])
optimizer = torch.optim.Adam(parts.parameters(), lr=0.02)
sampler = BucketSampler(lengths, batch_size=16)
loader = DataLoader(samples, batch_sampler=sampler, collate_fn=reward.collate)

for epoch in range(6):
    sampler.set_epoch(epoch)
    metrics = reward.metrics()
    for pairs in loader:
        states, _ = reader(words(pairs.inputs.values), pairs.inputs)  # (2B, T, 24)
        chosen, rejected = pairs.split(head(states, pairs.inputs))  # (B,), (B,)
        loss = reward.loss(chosen, rejected)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        metrics.update(chosen, rejected)
    right = metrics.compute()["pair_accuracy"]
    print(f"epoch {epoch}: loss {loss.item():.3f}, {right:.0%} of the pairs right")
