import argparse

import torch
from torch.utils.data import DataLoader

from model import NeighbourForecaster
from windows import TopKWindows, traffic


def main():
    p = argparse.ArgumentParser(description="forecasts with the most similar series")
    p.add_argument("--series", type=int, default=12)
    p.add_argument("--k", type=int, default=3)
    p.add_argument("--seq", type=int, default=16)
    p.add_argument("--pred", type=int, default=4)
    p.add_argument("--epochs", type=int, default=4)
    args = p.parse_args()
    torch.manual_seed(0)
    values = traffic(args.series, 240)
    train = TopKWindows(values[:180], args.k, args.seq, args.pred)
    test = TopKWindows(values[180:], args.k, args.seq, args.pred)
    model = NeighbourForecaster(args.k + 1, args.seq, args.pred)
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(args.epochs):
        total = 0.0
        for x, y in DataLoader(train, batch_size=16, shuffle=True):
            loss = torch.nn.functional.mse_loss(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(x)
        with torch.no_grad():
            errs = [torch.nn.functional.mse_loss(model(x), y).item() for x, y in DataLoader(test, batch_size=16)]
        print(f"epoch {epoch} train {total / len(train):.4f} test {sum(errs) / len(errs):.4f}")


if __name__ == "__main__":
    main()
