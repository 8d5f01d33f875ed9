"""DCGAN-like training with labels made for each batch."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

LATENT = 8


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Sequential(
            nn.ConvTranspose2d(LATENT, 16, 4, 1, 0), nn.GroupNorm(4, 16), nn.ReLU(True),
            nn.ConvTranspose2d(16, 1, 4, 2, 1), nn.Tanh(),
        )

    def forward(self, z):
        return self.main(z)


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Sequential(
            nn.Conv2d(1, 16, 4, 2, 1), nn.LeakyReLU(0.2, inplace=True), nn.Conv2d(16, 1, 4, 1, 0), nn.Sigmoid()
        )

    def forward(self, x):
        return self.main(x).view(-1, 1).squeeze(1)


def weights_init(m):
    if m.__class__.__name__.find("Conv") != -1:
        nn.init.normal_(m.weight, 0.0, 0.02)


torch.manual_seed(19)
crosses = torch.full((34, 1, 8, 8), -1.0)
crosses[:, :, 3:5, :] = 1.0
crosses[:, :, :, 3:5] = 1.0
crosses += 0.05 * torch.randn_like(crosses)
netG, netD = Generator(), Discriminator()
netG.apply(weights_init)
netD.apply(weights_init)
criterion = nn.BCELoss()
optimizerD = torch.optim.Adam(netD.parameters(), lr=2e-3, betas=(0.5, 0.999))
optimizerG = torch.optim.Adam(netG.parameters(), lr=2e-3, betas=(0.5, 0.999))
fixed_noise = torch.randn(4, LATENT, 1, 1)

for epoch in range(2):
    for (real,) in DataLoader(TensorDataset(crosses), batch_size=8, shuffle=True):
        n = real.size(0)
        netD.zero_grad()
        label = torch.full((n,), 0.9)
        out_real = netD(real)
        loss_real = criterion(out_real, label)
        loss_real.backward()
        fake = netG(torch.randn(n, LATENT, 1, 1))
        label.fill_(0.0)
        out_fake = netD(fake.detach())
        loss_fake = criterion(out_fake, label)
        loss_fake.backward()
        optimizerD.step()

        netG.zero_grad()
        label.fill_(1.0)
        loss_g = criterion(netD(fake), label)
        loss_g.backward()
        optimizerG.step()
    print(f"{epoch} D {(loss_real + loss_fake).item():.3f} G {loss_g.item():.3f} D(x) {out_real.mean().item():.2f}")
with torch.no_grad():
    print(netG(fixed_noise).shape)
