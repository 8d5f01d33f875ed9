import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F


class TwoTower(nn.Module):
    def __init__(self, users, items, dim):
        super().__init__()
        self.users = nn.Embedding(users, dim)
        self.items = nn.Embedding(items, dim)
        self.mix = nn.Linear(2 * dim, 1)

    def forward(self, user, item):
        joined = torch.cat([self.users(user), self.items(item)], dim=1)
        return self.mix(joined).squeeze()


def iterate(tensors, size):
    yield from zip(*(t.split(size) for t in tensors))


def evaluate(model, data, size):
    model.eval()
    with torch.no_grad():
        scores = [model(u, i) for u, i, _ in iterate(data, size)]
    clicked = torch.cat([c for _, _, c in iterate(data, size)])
    scores = torch.cat(scores)
    return F.binary_cross_entropy_with_logits(scores, clicked).item()


def main(args):
    torch.manual_seed(args.seed)
    data = (
        torch.randint(0, 20, (193,)),
        torch.randint(0, 30, (193,)),
        torch.randint(0, 2, (193,)).float(),
    )
    train, valid = [t[:96] for t in data], [t[96:] for t in data]
    model = TwoTower(20, 30, 8)
    opt = torch.optim.Adam(model.parameters(), lr=0.02)
    for epoch in range(args.epochs):
        for u, i, c in iterate(train, args.batch):
            loss = F.binary_cross_entropy_with_logits(model(u, i), c)
            opt.zero_grad()
            loss.backward()
            opt.step()
        print(f"epoch {epoch} train {loss.item():.4f} valid {evaluate(model, valid, args.batch):.4f}")


if __name__ == "__main__":
    cli = argparse.ArgumentParser()
    cli.add_argument("--epochs", type=int, default=2)
    cli.add_argument("--batch", type=int, default=32)
    cli.add_argument("--seed", type=int, default=0)
    main(cli.parse_args())
