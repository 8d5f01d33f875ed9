from dataclasses import dataclass

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Config:
    image: int = 16
    patch: int = 4
    dim: int = 32
    heads: int = 4
    n_classes: int = 5
    batch_size: int = 8


class ViT(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        n_patches = (cfg.image // cfg.patch) ** 2
        self.patchify = nn.Conv2d(3, cfg.dim, cfg.patch, stride=cfg.patch)
        self.cls = nn.Parameter(torch.zeros(1, 1, cfg.dim))
        self.pos = nn.Parameter(torch.zeros(1, n_patches + 1, cfg.dim))
        layer = nn.TransformerEncoderLayer(cfg.dim, cfg.heads, 64, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 1)
        self.head = nn.Linear(cfg.dim, cfg.n_classes)

    def forward(self, img):
        x = self.patchify(img).flatten(2).transpose(1, 2)
        cls = self.cls.expand(self.cfg.batch_size, -1, -1)
        x = torch.cat([cls, x], dim=1) + self.pos
        return self.head(self.encoder(x)[:, 0])


def main(cfg):
    torch.manual_seed(0)
    data = TensorDataset(torch.rand(28, 3, cfg.image, cfg.image), torch.randint(0, cfg.n_classes, (28,)))
    loader = DataLoader(data, batch_size=cfg.batch_size, shuffle=True)
    model = ViT(cfg)
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    loss_fn = nn.CrossEntropyLoss()
    for epoch in range(2):
        total = 0.0
        for img, label in loader:
            loss = loss_fn(model(img), label)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        print(f"epoch {epoch}: {total / len(loader):.4f}")


if __name__ == "__main__":
    main(Config())
