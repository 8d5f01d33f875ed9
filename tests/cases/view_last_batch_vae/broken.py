import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F

parser = argparse.ArgumentParser(description="VAE on small sketches")
parser.add_argument("--batch-size", type=int, default=25)
parser.add_argument("--epochs", type=int, default=2)
parser.add_argument("--seed", type=int, default=1)
args = parser.parse_args()

torch.manual_seed(args.seed)
sketches = (torch.rand(85, 1, 14, 14) > 0.7).float()


class VAE(nn.Module):
    def __init__(self, latent=5):
        super().__init__()
        self.enc = nn.Linear(196, 40)
        self.mu, self.logvar = nn.Linear(40, latent), nn.Linear(40, latent)
        self.dec = nn.Sequential(nn.Linear(latent, 40), nn.ReLU(), nn.Linear(40, 196))

    def forward(self, x):
        h = F.relu(self.enc(x.view(-1, 196)))
        mu, logvar = self.mu(h), self.logvar(h)
        z = mu + torch.randn_like(mu) * torch.exp(0.5 * logvar)
        return torch.sigmoid(self.dec(z)), mu, logvar


def loss_function(recon, x, mu, logvar):
    recon = recon.view(args.batch_size, 1, 14, 14)
    bce = F.binary_cross_entropy(recon, x, reduction="sum")
    kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return bce + kld


vae = VAE()
optimizer = torch.optim.Adam(vae.parameters(), lr=1e-3)
for epoch in range(1, args.epochs + 1):
    total = 0.0
    for batch in sketches.split(args.batch_size):
        optimizer.zero_grad()
        recon, mu, logvar = vae(batch)
        loss = loss_function(recon, batch, mu, logvar)
        loss.backward()
        optimizer.step()
        total += loss.item()
    print("====> Epoch: {} Average loss: {:.3f}".format(epoch, total / len(sketches)))
