"""The mean and the mean distance from 0 of series of any length: two numbers for each."""

import torch
from torch import nn
from torch.utils.data import DataLoader

from wellshaped.batch import BucketSampler, Padding, collate_for
from wellshaped.nn import task

torch.manual_seed(0)
both = task("regression", num_outputs=2)
lengths = torch.randint(4, 30, (90,)).tolist()
series = [torch.randn(1) + torch.rand(1) * torch.randn(length) for length in lengths]
samples = [
    (values.unsqueeze(1), torch.stack([values.mean(), values.abs().mean()])) for values in series
]

inner, head = nn.Sequential(nn.Linear(1, 32), nn.ReLU()), both.head(32)
optimizer = torch.optim.Adam([*inner.parameters(), *head.parameters()], lr=0.02)
sampler = BucketSampler(lengths, batch_size=16)
steps = Padding(dtype=torch.float32, trailing=(1,))
collate = collate_for("regression", num_outputs=2, inputs=steps)
loader = DataLoader(samples, batch_sampler=sampler, collate_fn=collate)

for epoch in range(12):
    sampler.set_epoch(epoch)
    metrics = both.metrics()
    for batch in loader:
        found = head(inner(batch.inputs.values), batch.inputs)  # (B, 2)
        loss = both.loss(found, batch.targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        metrics.update(found, batch.targets)
    print(f"epoch {epoch}: loss {loss.item():.3f}, R2 {metrics.compute()['r2']:.2f}")
