"""Which of five words occur in a text? Any number of labels for each, and none for some."""

import torch
from torch import nn
from torch.utils.data import DataLoader

from wellshaped.batch import BucketSampler
from wellshaped.nn import task

torch.manual_seed(0)
topics = task("multilabel", num_labels=5)
lengths = torch.randint(2, 12, (90,)).tolist()
texts = [torch.randint(0, 20, (length,)) for length in lengths]
samples = [(text, text[text < 5].unique()) for text in texts]

words, head = nn.Embedding(20, 32), topics.head(32, pool="max")
optimizer = torch.optim.Adam([*words.parameters(), *head.parameters()], lr=0.02)
sampler = BucketSampler(lengths, batch_size=16)
loader = DataLoader(samples, batch_sampler=sampler, collate_fn=topics.collate)

for epoch in range(10):
    sampler.set_epoch(epoch)
    metrics = topics.metrics()
    for batch in loader:
        logits = head(words(batch.inputs.values), batch.inputs)  # (B, 5)
        loss = topics.loss(logits, batch.targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        metrics.update(logits, batch.targets)
    print(f"epoch {epoch}: loss {loss.item():.3f}, micro F1 {metrics.compute()['micro_f1']:.2f}")
