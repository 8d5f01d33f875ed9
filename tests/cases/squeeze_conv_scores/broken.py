import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Disc(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Conv2d(1, 8, 4, 2, 1), nn.LeakyReLU(0.2), nn.Conv2d(8, 16, 4, 2, 1), nn.LeakyReLU(0.2), nn.Conv2d(16, 1, 4))

    def forward(self, x):
        return self.net(x).squeeze()


class Gen(nn.Module):
    def __init__(self, z=10):
        super().__init__()
        self.net = nn.Sequential(nn.ConvTranspose2d(z, 16, 4), nn.ReLU(), nn.ConvTranspose2d(16, 8, 4, 2, 1), nn.ReLU(), nn.ConvTranspose2d(8, 1, 4, 2, 1), nn.Tanh())

    def forward(self, z):
        return self.net(z)


torch.manual_seed(0)
g, d = Gen(), Disc()
og = torch.optim.Adam(g.parameters(), 2e-4)
od = torch.optim.Adam(d.parameters(), 2e-4)
bce = nn.BCEWithLogitsLoss()
for (real,) in DataLoader(TensorDataset(torch.rand(33, 1, 16, 16)), batch_size=8):
    n = real.size(0)
    fake = g(torch.randn(n, 10, 1, 1))
    ld = bce(d(real), torch.ones(n)) + bce(d(fake.detach()), torch.zeros(n))
    od.zero_grad(); ld.backward(); od.step()
    lg = bce(d(fake), torch.ones(n))
    og.zero_grad(); lg.backward(); og.step()
    print(round(ld.item(), 3), round(lg.item(), 3))
