import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Quantiser(nn.Module):
    def __init__(self, n_codes, dim, commitment=0.25):
        super().__init__()
        self.codebook = nn.Embedding(n_codes, dim)
        self.codebook.weight.data.uniform_(-1 / n_codes, 1 / n_codes)
        self.commitment = commitment

    def forward(self, z):  # (B, D, H, W)
        b, d, h, w = z.shape
        flat = z.permute(0, 2, 3, 1).reshape(-1, d)
        distance = (
            flat.pow(2).sum(1, keepdim=True)
            - 2 * flat @ self.codebook.weight.t()
            + self.codebook.weight.pow(2).sum(1)
        )  # (BHW, 1) and (K,): every vector with every code, on purpose
        index = distance.argmin(dim=1)
        q = self.codebook(index).view(b, h, w, d).permute(0, 3, 1, 2)
        loss = F.mse_loss(q, z.detach()) + self.commitment * F.mse_loss(z, q.detach())
        q = z + (q - z).detach()  # straight through
        usage = F.one_hot(index, self.codebook.num_embeddings).float().mean(0)
        perplexity = torch.exp(-(usage * (usage + 1e-10).log()).sum())
        return q, loss, perplexity


class VQVAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Sequential(nn.Conv2d(1, 8, 4, 2, 1), nn.ReLU(), nn.Conv2d(8, 6, 3, 1, 1))
        self.vq = Quantiser(12, 6)
        self.dec = nn.Sequential(nn.ConvTranspose2d(6, 8, 4, 2, 1), nn.ReLU(), nn.Conv2d(8, 1, 3, 1, 1))

    def forward(self, x):
        q, vq_loss, perplexity = self.vq(self.enc(x))
        return self.dec(q), vq_loss, perplexity


def main():
    torch.manual_seed(22)
    ramp = torch.linspace(0, 1, 8)
    phase = torch.rand(30, 1, 1, 1)
    images = torch.sin(6 * (ramp[:, None] + ramp[None, :]) + phase * 6)
    loader = DataLoader(TensorDataset(images), batch_size=7, shuffle=True)
    model = VQVAE()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(3):
        for (x,) in loader:
            recon, vq_loss, perplexity = model(x)
            loss = F.mse_loss(recon, x) + vq_loss
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"{epoch} loss {loss.item():.4f} perplexity {perplexity.item():.2f}")


if __name__ == "__main__":
    main()
