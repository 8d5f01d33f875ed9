import torch
from torch import nn


def mlp(n_in, width, n_out):
    return nn.Sequential(nn.Linear(n_in, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, n_out))


class VariationalAutoencoder(nn.Module):
    def __init__(self, width, D):
        super().__init__()
        self.D = D  # latent size
        self.encoder = mlp(2, width, 2 * D)
        self.decoder = mlp(D, width, 2)

    def reparameterise(self, mu, log_var):
        if self.training:
            return mu + torch.randn_like(mu) * log_var.mul(0.5).exp()
        return mu

    def forward(self, y):
        stats = self.encoder(y).unflatten(-1, (2, self.D))
        mu = stats[..., 0, :]
        log_var = stats[..., 1, :]
        y_hat = self.decoder(self.reparameterise(mu, log_var))
        if self.training:
            return y_hat, mu, log_var
        return y_hat
