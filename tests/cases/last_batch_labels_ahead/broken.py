import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(6)
batch_size, nz = 32, 10
G = nn.Sequential(nn.Linear(nz, 32), nn.ReLU(), nn.Linear(32, 2))
D = nn.Sequential(nn.Linear(2, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1), nn.Sigmoid())
criterion = nn.BCELoss()
optD, optG = torch.optim.Adam(D.parameters(), 1e-3), torch.optim.Adam(G.parameters(), 1e-3)
loader = DataLoader(TensorDataset(torch.randn(100, 2)), batch_size=batch_size, shuffle=True)
real_label = torch.ones(batch_size, 1)
fake_label = torch.zeros(batch_size, 1)
for epoch in range(2):
    for (real,) in loader:
        z = torch.randn(real.size(0), nz)
        fake = G(z)
        lossD = criterion(D(real), real_label) + criterion(D(fake.detach()), fake_label)
        optD.zero_grad()
        lossD.backward()
        optD.step()
        lossG = criterion(D(fake), real_label)
        optG.zero_grad()
        lossG.backward()
        optG.step()
    print(f"{epoch} D {lossD.item():.4f} G {lossG.item():.4f}")
