"""Denoising diffusion on points: one time step a row, its factors broadcast over coordinates."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

T = 20
betas = torch.linspace(1e-3, 0.2, T)
alphas = 1 - betas
alpha_bar = torch.cumprod(alphas, dim=0)


def extract(table, t, like):
    """The entries of a table for a batch of time steps, ready to broadcast over `like`."""
    return table.gather(0, t).reshape(t.shape[0], *((1,) * (like.dim() - 1)))


class TimeEmbedding(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.register_buffer("rate", torch.exp(torch.arange(dim // 2) * -0.5))
        self.mlp = nn.Sequential(nn.Linear(dim, dim), nn.SiLU())

    def forward(self, t):
        angle = t[:, None] * self.rate[None, :]
        return self.mlp(torch.cat([angle.sin(), angle.cos()], dim=-1))


class Denoiser(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.time = TimeEmbedding(dim)
        self.conv_in = nn.Conv1d(2, dim, 3, padding=1)
        self.conv_out = nn.Conv1d(dim, 2, 3, padding=1)

    def forward(self, x, t):
        h = self.conv_in(x) + self.time(t).unsqueeze(-1)
        return self.conv_out(F.silu(h))


@torch.no_grad()
def sample(model, n):
    x = torch.randn(n, 2, 8)
    for i in reversed(range(T)):
        t = torch.full((n,), i)
        eps = model(x, t)
        mean = (x - extract(betas / (1 - alpha_bar).sqrt(), t, x) * eps) / extract(alphas.sqrt(), t, x)
        x = mean + (extract(betas.sqrt(), t, x) * torch.randn_like(x) if i else 0)
    return x


torch.manual_seed(27)
angle = torch.linspace(0, 6.28, 8) + torch.rand(40, 1)
curves = torch.stack([angle.cos(), angle.sin()], dim=1)
model = Denoiser()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(3):
    for (x0,) in DataLoader(TensorDataset(curves), batch_size=9, shuffle=True):
        t = torch.randint(0, T, (x0.size(0),))
        noise = torch.randn_like(x0)
        xt = extract(alpha_bar.sqrt(), t, x0) * x0 + extract((1 - alpha_bar).sqrt(), t, x0) * noise
        loss = F.mse_loss(model(xt, t), noise)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch} loss {loss.item():.4f}")
print(tuple(sample(model, 3).shape))
