import argparse
import csv
import os
import tempfile

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader

from network import StockTransformer
from prices import PriceWindows, fake_ticker


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--window", type=int, default=30)
    p.add_argument("--d_model", type=int, default=16)
    p.add_argument("--nhead", type=int, default=4)
    p.add_argument("--batch_size", type=int, default=64)
    p.add_argument("--epochs", type=int, default=2)
    p.add_argument("--max_len", type=int, default=50)
    return p.parse_args()


def write_csv(path, rows):
    with open(path, "w", newline="") as f:
        w = csv.writer(f)
        w.writerow(["open", "high", "low", "close", "volume"])
        w.writerows(rows)


def fit(model, loader, epochs, lr=1e-3):
    criterion = nn.MSELoss()
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    for epoch in range(epochs):
        model.train()
        losses = []
        for x, y in loader:
            pred = model(x)
            loss = criterion(pred, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        print("epoch %d mse %.4f" % (epoch, np.mean(losses)))


def main():
    args = get_args()
    torch.manual_seed(42)
    with tempfile.TemporaryDirectory() as d:
        path = os.path.join(d, "ticker.csv")
        write_csv(path, fake_ticker(300))
        data = PriceWindows(path, args.window)
    loader = DataLoader(data, batch_size=args.batch_size, shuffle=True)
    model = StockTransformer(5, args.d_model, args.nhead, args.max_len)
    fit(model, loader, args.epochs)
    model.eval()
    with torch.no_grad():
        x, y = data[len(data) - 1]
        print("last close %.4f predicted %.4f" % (y.item(), model(x[None]).item()))


if __name__ == "__main__":
    main()
