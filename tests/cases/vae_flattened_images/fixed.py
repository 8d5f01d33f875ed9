import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(784, 64)
        self.mu = nn.Linear(64, 8)
        self.lv = nn.Linear(64, 8)
        self.fc3 = nn.Linear(8, 64)
        self.fc4 = nn.Linear(64, 784)

    def forward(self, x):
        h = F.relu(self.fc1(x.view(-1, 784)))
        mu, lv = self.mu(h), self.lv(h)
        z = mu + torch.randn_like(mu) * (0.5 * lv).exp()
        return torch.sigmoid(self.fc4(F.relu(self.fc3(z)))), mu, lv


def loss_function(recon, x, mu, lv):
    bce = F.binary_cross_entropy(recon, x.view(-1, 784), reduction="sum")
    kld = -0.5 * torch.sum(1 + lv - mu.pow(2) - lv.exp())
    return bce + kld


torch.manual_seed(0)
model = VAE()
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
for (x,) in DataLoader(TensorDataset(torch.rand(40, 1, 28, 28)), batch_size=8):
    recon, mu, lv = model(x)
    loss = loss_function(recon, x, mu, lv)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(round(loss.item(), 2))
