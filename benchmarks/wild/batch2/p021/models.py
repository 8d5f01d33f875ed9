import torch
import torch.nn as nn
import torch.nn.functional as F


class VanillaVAE(nn.Module):
    def __init__(self, in_channels, latent_dim, hidden_dims):
        super().__init__()
        self.latent_dim = latent_dim
        modules, c = [], in_channels
        for h_dim in hidden_dims:
            modules.append(nn.Sequential(
                nn.Conv2d(c, h_dim, 3, stride=2, padding=1), nn.BatchNorm2d(h_dim), nn.LeakyReLU()))
            c = h_dim
        self.encoder = nn.Sequential(*modules)
        self.last_dim = hidden_dims[-1]
        self.feat = 2
        self.fc_mu = nn.Linear(self.last_dim * self.feat ** 2, latent_dim)
        self.fc_var = nn.Linear(self.last_dim * self.feat ** 2, latent_dim)

        self.decoder_input = nn.Linear(latent_dim, self.last_dim * self.feat ** 2)
        modules = []
        for h_dim in hidden_dims[-2::-1] + [hidden_dims[0]]:
            modules.append(nn.Sequential(
                nn.ConvTranspose2d(c, h_dim, 3, stride=2, padding=1, output_padding=1),
                nn.BatchNorm2d(h_dim), nn.LeakyReLU()))
            c = h_dim
        self.decoder = nn.Sequential(*modules)
        self.final_layer = nn.Sequential(nn.Conv2d(c, in_channels, 3, padding=1), nn.Tanh())

    def encode(self, x):
        result = torch.flatten(self.encoder(x), start_dim=1)
        return self.fc_mu(result), self.fc_var(result)

    def decode(self, z):
        result = self.decoder_input(z).view(-1, self.last_dim, self.feat, self.feat)
        return self.final_layer(self.decoder(result))

    def reparameterize(self, mu, logvar):
        return mu + torch.exp(0.5 * logvar) * torch.randn_like(mu)

    def forward(self, x):
        mu, log_var = self.encode(x)
        return self.decode(self.reparameterize(mu, log_var)), x, mu, log_var

    def loss_function(self, recons, x, mu, log_var, M_N):
        recons_loss = F.mse_loss(recons, x)
        kld_loss = torch.mean(-0.5 * torch.sum(1 + log_var - mu ** 2 - log_var.exp(), dim=1))
        return {"loss": recons_loss + M_N * kld_loss, "recons": recons_loss, "kld": kld_loss}
