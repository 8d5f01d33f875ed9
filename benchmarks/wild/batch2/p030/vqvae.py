import torch
import torch.nn as nn
import torch.nn.functional as F


class VQVAE(nn.Module):
    def __init__(self, num_channels, num_embeddings, embedding_dim):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv2d(1, num_channels, 4, 2, 1), nn.ReLU(), nn.Conv2d(num_channels, embedding_dim, 4, 2, 1))
        self.decoder = nn.Sequential(
            nn.ConvTranspose2d(embedding_dim, num_channels, 4, 2, 1), nn.ReLU(), nn.ConvTranspose2d(num_channels, 1, 4, 2, 1))
        self.codebook = nn.Embedding(num_embeddings, embedding_dim)

    def _nearest(self, z):
        flat = z.permute(0, 2, 3, 1)
        return (flat.unsqueeze(-2) - self.codebook.weight).pow(2).sum(-1).argmin(-1)

    @torch.no_grad()
    def encode(self, x):
        return self._nearest(self.encoder(x))

    def forward(self, x):
        z = self.encoder(x)
        q = self.codebook(self._nearest(z)).permute(0, 3, 1, 2)
        loss = F.mse_loss(q, z.detach()) + 0.25 * F.mse_loss(z, q.detach())
        return self.decoder(z + (q - z).detach()), loss
