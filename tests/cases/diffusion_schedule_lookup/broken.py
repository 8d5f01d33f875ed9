"""A denoiser of small pictures: the schedule looked up for each row is laid on their columns."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
STEPS = 40
kept = torch.cumprod(1 - torch.linspace(1e-4, 0.03, STEPS), 0)


class Denoiser(nn.Module):
    def __init__(self, channels=6):
        super().__init__()
        self.time = nn.Embedding(STEPS, channels)
        self.begin = nn.Conv2d(1, channels, 3, padding=1)
        self.end = nn.Conv2d(channels, 1, 3, padding=1)

    def forward(self, pictures, steps):
        hidden = self.begin(pictures) + self.time(steps)[:, :, None, None]
        return self.end(F.silu(hidden))


def noised(clean, steps, noise):
    share = kept[steps]
    return share.sqrt() * clean + (1 - share).sqrt() * noise


loader = DataLoader(TensorDataset(torch.randn(22, 1, 12, 12)), batch_size=8)
model = Denoiser()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
for (clean,) in loader:
    steps = torch.randint(0, STEPS, (len(clean),))
    noise = torch.randn_like(clean)
    loss = F.mse_loss(model(noised(clean, steps, noise), steps), noise)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"loss {loss.item():.3f}")
