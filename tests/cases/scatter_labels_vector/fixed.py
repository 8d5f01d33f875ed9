import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class ArcMargin(nn.Module):
    def __init__(self, feats, classes, s=16.0, m=0.3):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(classes, feats) * 0.1)
        self.s, self.m = s, m

    def forward(self, x, label):
        cos = F.linear(F.normalize(x), F.normalize(self.weight)).clamp(-0.999, 0.999)
        phi = torch.cos(torch.acos(cos) + self.m)
        onehot = torch.zeros_like(cos)
        onehot.scatter_(1, label.view(-1, 1), 1)
        return self.s * (onehot * phi + (1 - onehot) * cos)


torch.manual_seed(0)
net = nn.Sequential(nn.Linear(20, 32), nn.ReLU(), nn.Linear(32, 16))
head = ArcMargin(16, 7)
opt = torch.optim.SGD([*net.parameters(), *head.parameters()], lr=0.1)
ds = TensorDataset(torch.randn(60, 20), torch.randint(0, 7, (60,)))
for x, y in DataLoader(ds, batch_size=15):
    loss = F.cross_entropy(head(net(x), y), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(round(loss.item(), 4))
