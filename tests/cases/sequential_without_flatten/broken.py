import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


def block(a, b):
    return nn.Sequential(nn.Conv2d(a, b, 3, padding=1), nn.BatchNorm2d(b), nn.ReLU(), nn.MaxPool2d(2))


model = nn.Sequential(
    block(3, 8),
    block(8, 16),
    nn.AdaptiveAvgPool2d((1, 1)),
    nn.Linear(16, 5),
)
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
ds = TensorDataset(torch.rand(40, 3, 16, 16), torch.randint(0, 5, (40,)))
for epoch in range(2):
    for x, y in DataLoader(ds, batch_size=8):
        out = model(x)
        loss = nn.functional.cross_entropy(out, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(epoch, round(loss.item(), 4))
