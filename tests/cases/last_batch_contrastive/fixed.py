import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
BATCH = 16
enc = nn.Sequential(nn.Linear(12, 32), nn.ReLU(), nn.Linear(32, 16))
opt = torch.optim.Adam(enc.parameters(), lr=1e-3)


def nt_xent(z1, z2, temperature=0.5):
    z = F.normalize(torch.cat([z1, z2]), dim=1)
    sim = z @ z.t() / temperature
    mask = torch.eye(z.size(0), dtype=torch.bool)
    sim = sim.masked_fill(mask, -1e9)
    labels = (torch.arange(z.size(0)) + z1.size(0)) % z.size(0)
    return F.cross_entropy(sim, labels)


for (x,) in DataLoader(TensorDataset(torch.randn(70, 12)), batch_size=BATCH):
    loss = nt_xent(enc(x + 0.1 * torch.randn_like(x)), enc(x + 0.1 * torch.randn_like(x)))
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(round(loss.item(), 4))
