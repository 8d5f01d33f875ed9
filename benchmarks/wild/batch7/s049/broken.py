import argparse
import os

import torch
import torch.nn.functional as F

from anomaly_map import heat_map
from parts import made_parts
from restore import Restorer


def main():
    p = argparse.ArgumentParser(description="defects of parts")
    p.add_argument("--epochs", type=int, default=5)
    p.add_argument("--test-batch", type=int, default=8)
    p.add_argument("--v", type=float, default=1.0)
    args = p.parse_args()
    torch.manual_seed(0)
    good, _ = made_parts(128, defects=False, seed=1)
    test, is_bad = made_parts(32, defects=True, seed=2)
    model = Restorer()
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    for epoch in range(args.epochs):
        total = 0.0
        for rows in torch.randperm(len(good)).split(16):
            x = good[rows]
            loss = F.mse_loss(model(x + 0.3 * torch.randn_like(x))[0], x)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(rows)
        print(f"epoch {epoch} loss {total / len(good):.4f}")
    scores = []
    with torch.no_grad():
        for x in test.split(args.test_batch):
            scores.append(heat_map(model, x, args.v).amax(dim=(1, 2, 3)))
    scores = torch.cat(scores)
    print(f"mean score good {scores[~is_bad].mean():.4f} bad {scores[is_bad].mean():.4f}")


if __name__ == "__main__":
    main()
