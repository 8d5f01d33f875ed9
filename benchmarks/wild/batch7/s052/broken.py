import argparse

import torch
from torch import nn
import torch.nn.functional as F


class FrozenTextEncoder(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, dim, batch_first=True)
        for p in self.parameters():
            p.requires_grad_(False)

    def forward(self, ids):
        return self.rnn(self.emb(ids))[0].mean(dim=1)


def projection(dim_in, dim):
    return nn.Sequential(nn.Linear(dim_in, dim_in), nn.ReLU(), nn.Linear(dim_in, dim))


class ConVIRT(nn.Module):
    def __init__(self, vocab, image_dim, text_dim=24, out=16):
        super().__init__()
        self.text_encoder = FrozenTextEncoder(vocab, text_dim)
        self.text_proj = projection(text_dim, out)
        self.image_encoder = nn.Sequential(nn.Linear(image_dim, 32), nn.ReLU())
        self.image_proj = projection(32, out)

    def encode_text(self, ids):
        with torch.no_grad():
            x = self.text_encoder(ids)
            x = self.text_proj(x)
        return F.normalize(x, dim=-1)

    def encode_image(self, x):
        return F.normalize(self.image_proj(self.image_encoder(x)), dim=-1)

    def forward(self, images, ids):
        return self.encode_image(images), self.encode_text(ids)


def nt_xent(a, b, temperature=0.1):
    logits = a @ b.T / temperature
    target = torch.arange(len(a))
    return 0.75 * F.cross_entropy(logits, target) + 0.25 * F.cross_entropy(logits.T, target)


def reports(n, vocab, seed=1):
    g = torch.Generator().manual_seed(seed)
    ids = torch.randint(0, vocab, (n, 8), generator=g)
    looks = torch.randn(vocab, 20, generator=g)
    return looks[ids].mean(dim=1) + 0.1 * torch.randn(n, 20, generator=g), ids


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=6)
    p.add_argument("--batch", type=int, default=32)
    args = p.parse_args()
    torch.manual_seed(0)
    images, ids = reports(256, 60)
    model = ConVIRT(60, 20)
    opt = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=3e-3)
    for epoch in range(args.epochs):
        total = 0.0
        for rows in torch.randperm(len(ids)).split(args.batch):
            loss = nt_xent(*model(images[rows], ids[rows]))
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(rows)
        print(f"epoch {epoch} loss {total / len(ids):.4f}")


if __name__ == "__main__":
    main()
