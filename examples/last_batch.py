"""A classifier whose `.squeeze()` takes the batch axis along when the last batch has one row."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
images, labels = torch.randn(9, 3, 8, 8), torch.randint(0, 5, (9,))
features = nn.Sequential(nn.Conv2d(3, 6, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1))
head = nn.Linear(6, 5)
optimizer = torch.optim.SGD([*features.parameters(), *head.parameters()], lr=0.1)

for step, (image, label) in enumerate(DataLoader(TensorDataset(images, labels), batch_size=4)):
    logits = head(features(image).squeeze())
    loss = nn.functional.cross_entropy(logits, label)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"step {step}: {len(label)} rows, loss {loss.item():.4f}")
