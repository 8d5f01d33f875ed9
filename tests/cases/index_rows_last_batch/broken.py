import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
batch_size = 32
x, y = torch.randn(100, 8), torch.randint(0, 5, (100,))
net = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 5), nn.LogSoftmax(dim=1))
opt = torch.optim.SGD(net.parameters(), 0.1)


def nll(logp, target):
    return -logp[torch.arange(batch_size), target].mean()


for epoch in range(2):
    for xb, yb in DataLoader(TensorDataset(x, y), batch_size=batch_size):
        loss = nll(net(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(epoch, round(loss.item(), 5))
