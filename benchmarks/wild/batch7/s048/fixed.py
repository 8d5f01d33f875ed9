import argparse

import torch
from torch import nn
import torch.nn.functional as F


class DiscreteVAE(nn.Module):
    def __init__(self, num_tokens=24, codebook_dim=16, hidden=16):
        super().__init__()
        self.codebook = nn.Embedding(num_tokens, codebook_dim)
        self.encoder = nn.Sequential(
            nn.Conv2d(1, hidden, 4, stride=2, padding=1), nn.ReLU(),
            nn.Conv2d(hidden, hidden, 4, stride=2, padding=1), nn.ReLU(),
            nn.Conv2d(hidden, num_tokens, 1))
        self.decoder = nn.Sequential(
            nn.ConvTranspose2d(codebook_dim, hidden, 4, stride=2, padding=1), nn.ReLU(),
            nn.ConvTranspose2d(hidden, hidden, 4, stride=2, padding=1), nn.ReLU(),
            nn.Conv2d(hidden, 1, 1))

    def codes(self, img):
        return self.encoder(img).argmax(dim=1)

    def decode(self, codes):
        return self.decoder(self.codebook(codes).permute(0, 3, 1, 2))

    def soft_codes(self, logits, temperature):
        return F.gumbel_softmax(logits, tau=temperature, dim=1)

    def forward(self, img, temperature):
        soft = self.soft_codes(self.encoder(img), temperature)
        sampled = torch.einsum("bnhw,nd->bdhw", soft, self.codebook.weight)
        return self.decoder(sampled)


def glyphs(n, seed):
    """Pictures put together from four kinds of tiles."""
    g = torch.Generator().manual_seed(seed)
    tiles = (torch.rand(4, 4, 4, generator=torch.Generator().manual_seed(7)) > 0.5).float()
    kind = torch.randint(0, 4, (n, 4, 4), generator=g)
    img = tiles[kind].permute(0, 1, 3, 2, 4).reshape(n, 1, 16, 16)
    return img + 0.05 * torch.randn(img.shape, generator=g)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=6)
    p.add_argument("--batch", type=int, default=16)
    args = p.parse_args()
    torch.manual_seed(0)
    train, val = glyphs(160, 1), glyphs(32, 2)
    model = DiscreteVAE()
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(args.epochs):
        temperature = max(1.0 * 0.85 ** epoch, 0.5)
        total = 0.0
        for rows in torch.randperm(len(train)).split(args.batch):
            loss = F.mse_loss(model(train[rows], temperature), train[rows])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(rows)
        with torch.no_grad():
            hard = F.mse_loss(model.decode(model.codes(val)), val).item()
        print(f"epoch {epoch} soft {total / len(train):.4f} hard {hard:.4f}")


if __name__ == "__main__":
    main()
