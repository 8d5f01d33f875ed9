import argparse

import torch
from torch import nn
import torch.nn.functional as F


class Tower(nn.Module):
    def __init__(self, dim_in, dim):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim_in, 48), nn.ReLU(), nn.Linear(48, dim))

    def forward(self, x):
        return F.normalize(self.net(x), dim=-1)


class CLIP(nn.Module):
    def __init__(self, image_dim, text_dim, dim=16):
        super().__init__()
        self.image, self.text = Tower(image_dim, dim), Tower(text_dim, dim)
        self.logit_scale = nn.Parameter(torch.tensor(2.0))

    def forward(self, images, texts):
        return self.logit_scale.exp() * self.image(images) @ self.text(texts).T


def training_step(model, images, texts):
    logits = model(images, texts)
    truth = torch.arange(len(logits))
    loss = (F.cross_entropy(logits, truth) + F.cross_entropy(logits.T, truth)) / 2
    acc_i = (torch.argmax(logits, dim=1) == truth).sum()
    acc_t = (torch.argmax(logits.T, dim=1) == truth).sum()
    return loss, (acc_i + acc_t).float() / (2 * len(logits))


def pairs(n, seed):
    g = torch.Generator().manual_seed(seed)
    idea = torch.randn(n, 8, generator=g)
    to_image = torch.randn(8, 24, generator=torch.Generator().manual_seed(99))
    to_text = torch.randn(8, 12, generator=torch.Generator().manual_seed(98))
    images = idea @ to_image + 0.3 * torch.randn(n, 24, generator=g)
    return images, idea @ to_text + 0.3 * torch.randn(n, 12, generator=g)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=6)
    p.add_argument("--batch", type=int, default=32)
    args = p.parse_args()
    torch.manual_seed(0)
    images, texts = pairs(256, 1)
    val_images, val_texts = pairs(64, 2)
    model = CLIP(24, 12)
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(args.epochs):
        total, hits = 0.0, 0.0
        for rows in torch.randperm(len(images)).split(args.batch):
            loss, acc = training_step(model, images[rows], texts[rows])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total, hits = total + loss.item(), hits + acc.item()
        n = len(images) // args.batch
        with torch.no_grad():
            _, val = training_step(model, val_images, val_texts)
        print(f"epoch {epoch} loss {total / n:.4f} acc {hits / n:.4f} val acc {val.item():.4f}")


if __name__ == "__main__":
    main()
