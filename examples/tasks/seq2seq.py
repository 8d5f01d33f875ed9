"""A text backwards: one sequence into another, each word from the ones before it."""

import torch
from torch import nn
from torch.utils.data import DataLoader

from wellshaped.batch import BucketSampler
from wellshaped.nn import MaskedGRU, task

BOS, EOS = 8, 9
torch.manual_seed(0)
backwards = task("seq2seq", vocab_size=10, bos=BOS, eos=EOS)
lengths = torch.randint(2, 5, (120,)).tolist()
texts = [torch.randint(0, 8, (length,)) for length in lengths]
samples = [(text, text.flip(0)) for text in texts]

words, reader, head = nn.Embedding(10, 32), MaskedGRU(32, 48), backwards.head(48)
parts = nn.ModuleList([words, reader, head])
optimizer = torch.optim.Adam(parts.parameters(), lr=0.02)
sampler = BucketSampler(lengths, batch_size=16)
loader = DataLoader(samples, batch_sampler=sampler, collate_fn=backwards.collate)

for epoch in range(12):
    sampler.set_epoch(epoch)
    metrics = backwards.metrics()
    for batch in loader:
        memory, _ = reader(words(batch.inputs.values), batch.inputs)  # (B, S, 48)
        logits = head(memory, batch.inputs, batch.targets)  # (B, T, 10)
        loss = backwards.loss(logits, batch.targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        metrics.update(logits, batch.targets)
    right = metrics.compute()["token_accuracy"]
    print(f"epoch {epoch}: loss {loss.item():.3f}, {right:.0%} of the words right")
