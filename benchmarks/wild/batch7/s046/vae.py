import torch
from torch import nn


def kl(mu, log_var):
    return (-0.5 * (1 + log_var - mu ** 2 - log_var.exp()).sum(dim=1)).mean(dim=0)


def kl_2(delta_mu, delta_log_var, log_var):
    """Of the residual posterior against the level's prior."""
    var, delta_var = log_var.exp(), delta_log_var.exp()
    loss = -0.5 * torch.sum(1 + delta_log_var - delta_mu ** 2 / var - delta_var)
    return torch.mean(loss, dim=0)


class TwoLevelVAE(nn.Module):
    def __init__(self, dim, latent=6, width=48):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(dim, width), nn.ReLU())
        self.top = nn.Linear(width, 2 * latent)
        self.prior = nn.Linear(latent, 2 * latent)
        self.delta = nn.Linear(width + latent, 2 * latent)
        self.decode = nn.Sequential(nn.Linear(2 * latent, width), nn.ReLU(), nn.Linear(width, dim))

    def losses(self, x):
        h = self.body(x)
        mu1, lv1 = self.top(h).chunk(2, dim=1)
        z1 = mu1 + torch.randn_like(mu1) * (0.5 * lv1).exp()
        mu, lv = self.prior(z1).chunk(2, dim=1)
        d_mu, d_lv = self.delta(torch.cat([h, z1], dim=1)).chunk(2, dim=1)
        z2 = mu + d_mu + torch.randn_like(mu) * (0.5 * (lv + d_lv)).exp()
        rec = (self.decode(torch.cat([z1, z2], dim=1)) - x).pow(2).sum(dim=1).mean()
        return rec, kl(mu1, lv1), kl_2(d_mu, d_lv, lv)
