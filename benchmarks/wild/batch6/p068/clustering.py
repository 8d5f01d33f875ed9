import torch
from torch import nn
import torch.nn.functional as F


class DeepCluster(nn.Module):
    def __init__(self, genes, latent, clusters, sigma):
        super().__init__()
        self.sigma = sigma
        self.encoder = nn.Sequential(nn.Linear(genes, 32), nn.ReLU(), nn.Linear(32, latent))
        self.decoder = nn.Sequential(nn.Linear(latent, 32), nn.ReLU(), nn.Linear(32, genes))
        self.centres = nn.Parameter(torch.randn(clusters, latent))

    def forward(self, x):
        z = self.encoder(x + self.sigma * torch.randn_like(x))
        return z, self.decoder(z)

    def assign(self, z):
        q = 1 / (1 + torch.cdist(z, self.centres).pow(2))
        return q / q.sum(dim=1, keepdim=True)

    def pretrain(self, x, batch, lr, epochs):
        opt = torch.optim.Adam(self.parameters(), lr=lr)
        for _ in range(epochs):
            total = 0.0
            for rows in torch.randperm(len(x)).split(batch):
                loss = F.mse_loss(self(x[rows])[1], x[rows])
                opt.zero_grad()
                loss.backward()
                opt.step()
                total += loss.item() * len(rows)
            yield total / len(x)

    def fit(self, x, batch, lr, epochs):
        opt = torch.optim.Adam(self.parameters(), lr=lr)
        for _ in range(epochs):
            total = 0.0
            for rows in torch.randperm(len(x)).split(batch):
                z, rebuilt = self(x[rows])
                q = self.assign(z)
                p = (q.pow(2) / q.sum(0)).detach()
                p = p / p.sum(dim=1, keepdim=True)
                loss = F.mse_loss(rebuilt, x[rows]) + F.kl_div(q.log(), p, reduction="batchmean")
                opt.zero_grad()
                loss.backward()
                opt.step()
                total += loss.item() * len(rows)
            yield total / len(x)
