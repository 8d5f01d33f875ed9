import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F


class SessionEncoder(nn.Module):
    """Next click from the clicks of a session."""

    def __init__(self, n_pages, dim, heads):
        super().__init__()
        self.pages = nn.Embedding(n_pages, dim)
        self.attn = nn.MultiheadAttention(dim, heads, batch_first=True)
        self.next_page = nn.Linear(dim, n_pages)

    def forward(self, clicks):
        h = self.pages(clicks)
        h, _ = self.attn(h, h, h)
        return self.next_page(h[:, -1])


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--pages", type=int, default=45)
    p.add_argument("--dim", type=int, default=32)
    p.add_argument("--heads", type=int, default=4)
    p.add_argument("--steps", type=int, default=6)
    return p.parse_args()


def main():
    args = parse()
    torch.manual_seed(0)
    model = SessionEncoder(args.pages, args.dim, args.heads)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for step in range(args.steps):
        clicks = torch.randint(0, args.pages, (10, 6))
        logits = model(clicks[:, :-1])
        loss = F.cross_entropy(logits, clicks[:, -1])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(f"step {step}: {loss.item():.4f}")


if __name__ == "__main__":
    main()
