import argparse

import numpy as np
import torch
import torch.nn as nn


def load_table(n, seed):
    """Columns: six measurements, then the grade 0..3."""
    rng = np.random.default_rng(seed)
    grade = rng.integers(0, 4, size=n)
    cols = rng.normal(loc=grade[:, None], size=(n, 6))
    return np.column_stack([cols, grade]).astype(np.float32)


def batches(table, size):
    for lo in range(0, len(table), size):
        chunk = torch.from_numpy(table[lo:lo + size])
        yield chunk[:, :-1], chunk[:, -1].long()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--batch-size", type=int, default=25)
    parser.add_argument("--lr", type=float, default=0.01)
    args = parser.parse_args()

    torch.manual_seed(0)
    table = load_table(100, seed=7)
    model = nn.Sequential(nn.Linear(6, 20), nn.ReLU(), nn.Linear(20, 4))
    criterion = nn.CrossEntropyLoss()
    optim = torch.optim.Adam(model.parameters(), lr=args.lr)
    for epoch in range(args.epochs):
        losses = []
        for x, grade in batches(table, args.batch_size):
            loss = criterion(model(x), grade)
            optim.zero_grad()
            loss.backward()
            optim.step()
            losses.append(loss.item())
        print(f"epoch {epoch + 1}: {np.mean(losses):.4f}")


if __name__ == "__main__":
    main()
