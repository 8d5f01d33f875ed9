import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
batch_size = 16
z_dim = 8
G = nn.Sequential(nn.Linear(z_dim, 32), nn.ReLU(), nn.Linear(32, 12))
D = nn.Sequential(nn.Linear(12, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1), nn.Sigmoid())
loader = DataLoader(TensorDataset(torch.randn(72, 12)), batch_size=batch_size, shuffle=True)
bce = nn.BCELoss()
d_opt = torch.optim.Adam(D.parameters(), lr=2e-4)
g_opt = torch.optim.Adam(G.parameters(), lr=2e-4)
for epoch in range(2):
    for (real,) in loader:
        ones = torch.ones(real.size(0), 1)
        zeros = torch.zeros(real.size(0), 1)
        fake = G(torch.randn(real.size(0), z_dim))
        d_loss = bce(D(real), ones) + bce(D(fake.detach()), zeros)
        d_opt.zero_grad()
        d_loss.backward()
        d_opt.step()
        g_loss = bce(D(fake), ones)
        g_opt.zero_grad()
        g_loss.backward()
        g_opt.step()
    print(epoch, round(d_loss.item(), 4), round(g_loss.item(), 4))
