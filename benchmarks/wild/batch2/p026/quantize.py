import torch
import torch.nn as nn
import torch.nn.functional as F


class VectorQuantize(nn.Module):
    def __init__(self, input_dim, codebook_size, codebook_dim):
        super().__init__()
        self.in_proj = nn.Conv1d(input_dim, codebook_dim, 1)
        self.out_proj = nn.Conv1d(codebook_dim, input_dim, 1)
        self.codebook = nn.Embedding(codebook_size, codebook_dim)

    def forward(self, z):
        z_e = self.in_proj(z).transpose(1, 2)
        dist = torch.cdist(z_e, self.codebook.weight.unsqueeze(0).expand(len(z_e), -1, -1))
        z_q = self.codebook(dist.argmin(-1))
        commit = F.mse_loss(z_e, z_q.detach()) + F.mse_loss(z_q, z_e.detach())
        z_q = z_e + (z_q - z_e).detach()
        return self.out_proj(z_q.transpose(1, 2)), commit
