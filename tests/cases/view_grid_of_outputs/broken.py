import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

S, B, C = 4, 2, 3


class YoloTiny(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1), nn.ReLU(), nn.Conv2d(8, 16, 3, 2, 1), nn.ReLU())
        self.head = nn.Sequential(nn.Flatten(), nn.Linear(16 * 8 * 8, S * S * (B * 5) + C))

    def forward(self, x):
        return self.head(self.features(x)).view(-1, S, S, B * 5 + C)


torch.manual_seed(0)
ds = TensorDataset(torch.rand(20, 3, 32, 32), torch.rand(20, S, S, B * 5 + C))
net = YoloTiny()
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for x, y in DataLoader(ds, batch_size=5):
    out = net(x)
    box = (out[..., C:C + 4] - y[..., C:C + 4]).pow(2).sum()
    obj = (out[..., C + 4] - y[..., C + 4]).pow(2).sum()
    cls = (out[..., :C] - y[..., :C]).pow(2).sum()
    loss = 5 * box + obj + cls
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(round(loss.item(), 3))
