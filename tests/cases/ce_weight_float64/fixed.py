import numpy as np
import torch
import torch.nn as nn


def balanced_weights(labels):
    """The usual n_samples / (n_classes * count) weighting."""
    classes, counts = np.unique(labels, return_counts=True)
    return len(labels) / (len(classes) * counts)


rng = np.random.default_rng(17)
labels = rng.choice(4, p=[0.55, 0.25, 0.15, 0.05], size=160)
signals = rng.normal(size=(160, 14)) + labels[:, None] * 0.3

weights = torch.tensor(balanced_weights(labels), dtype=torch.float32)
x_train = torch.tensor(signals, dtype=torch.float32)
y_train = torch.tensor(labels, dtype=torch.int64)

torch.manual_seed(17)
model = nn.Sequential(nn.Linear(14, 28), nn.ReLU(), nn.Linear(28, 4))
loss_func = nn.CrossEntropyLoss(weight=weights)
optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)

for epoch in range(4):
    for xb, yb in zip(x_train.split(40), y_train.split(40)):
        loss = loss_func(model(xb), yb)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    print(f"{epoch=} loss={loss.item():.4f}")
