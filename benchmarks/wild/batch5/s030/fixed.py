import argparse

import torch
from torch.utils.data import DataLoader

from graphs import RandomMolecules, merge
from fixed_graphormer import Graphormer


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--batch-size", type=int, default=12)
    args = parser.parse_args()
    torch.manual_seed(0)
    data = RandomMolecules(96)
    loader = DataLoader(data, batch_size=args.batch_size, shuffle=True, collate_fn=merge)
    model = Graphormer(n_types=6, dim=24, layers=2)
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    for epoch in range(args.epochs):
        total = 0.0
        for batch in loader:
            pred = model(batch)
            loss = torch.nn.functional.l1_loss(pred, batch["y"])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(batch["y"])
        print(f"epoch {epoch} mae {total / len(data):.4f}")
    model.eval()
    with torch.no_grad():
        for size in (1, 6):
            print(f"molecule 0 among {size}: {model(merge([data[i] for i in range(size)]))[0].item():.4f}")


if __name__ == "__main__":
    main()
