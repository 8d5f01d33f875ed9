import torch
from torch import nn


class SqueezeExcite(nn.Module):
    def __init__(self, channels, squeeze=4):
        super().__init__()
        self.down = nn.Linear(channels, squeeze)
        self.up = nn.Linear(squeeze, channels)

    def forward(self, maps):
        summary = maps.mean(dim=(2, 3))
        gate = torch.sigmoid(self.up(torch.relu(self.down(summary))))
        return maps * gate[:, :, None, None]


class Denoiser(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp = nn.Conv2d(1, 12, 3, padding=1)
        self.se = SqueezeExcite(12)
        self.out = nn.Conv2d(12, 1, 3, padding=1)

    def forward(self, noisy):
        return noisy + self.out(self.se(torch.relu(self.inp(noisy))))


def clean_patches(n):
    ramp = torch.linspace(0, 1, 9)
    return ramp.view(1, 1, 9, 1) * torch.rand(n, 1, 1, 9)


torch.manual_seed(37)
denoiser = Denoiser()
criterion = nn.MSELoss()
optimizer = torch.optim.Adam(denoiser.parameters(), lr=1e-3)

for step in range(12):
    clean = clean_patches(8)
    noisy = clean + 0.2 * torch.randn_like(clean)
    loss = criterion(denoiser(noisy), clean)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 4 == 0:
        print("step", step, f"mse {loss.item():.4f}")
