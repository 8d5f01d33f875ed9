import argparse

import torch
import torch.nn as nn

from fixed_lstnet import LSTNet
from utils import DataUtility


def evaluate(data, X, Y, model, batch_size):
    model.eval()
    l2, n = 0.0, 0
    with torch.no_grad():
        for x, y in data.get_batches(X, Y, batch_size, shuffle=False):
            l2 += ((model(x) - y) ** 2).sum().item()
            n += y.numel()
    return (l2 / n) ** 0.5


def train(data, X, Y, model, criterion, optimizer, batch_size):
    model.train()
    total, n = 0.0, 0
    for x, y in data.get_batches(X, Y, batch_size, shuffle=True):
        optimizer.zero_grad()
        output = model(x)
        loss = criterion(output, y)
        loss.backward()
        optimizer.step()
        total += loss.item()
        n += 1
    return total / n


def main():
    parser = argparse.ArgumentParser(description="PyTorch Time series forecasting")
    parser.add_argument("--hidCNN", type=int, default=12, help="number of CNN hidden units")
    parser.add_argument("--hidRNN", type=int, default=16)
    parser.add_argument("--hidSkip", type=int, default=4)
    parser.add_argument("--window", type=int, default=36, help="window size")
    parser.add_argument("--CNN_kernel", type=int, default=6)
    parser.add_argument("--skip", type=int, default=12)
    parser.add_argument("--highway_window", type=int, default=8)
    parser.add_argument("--horizon", type=int, default=3)
    parser.add_argument("--batch_size", type=int, default=32)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--lr", type=float, default=0.005)
    args = parser.parse_args()

    torch.manual_seed(54321)
    data = DataUtility(n=220, channels=5, train=0.7, horizon=args.horizon, window=args.window)
    model = LSTNet(args, data)
    criterion = nn.L1Loss()
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    for epoch in range(1, args.epochs + 1):
        train_loss = train(data, *data.train, model, criterion, optimizer, args.batch_size)
        rse = evaluate(data, *data.valid, model, args.batch_size)
        print("| end of epoch {:3d} | train_loss {:5.4f} | valid rmse {:5.4f}".format(epoch, train_loss, rse))


if __name__ == "__main__":
    main()
