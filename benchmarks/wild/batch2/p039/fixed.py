import argparse

import torch
from torch.utils.data import DataLoader

from fixed_dbcnn import DBCNN
from distortions import LiveToy
from metrics import plcc, srocc


def train(model, loader, optimizer, criterion):
    model.train()
    total = 0.0
    for X, y in loader:
        optimizer.zero_grad()
        score = model(X)
        loss = criterion(score, y.view(len(score), 1))
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total / len(loader)


@torch.no_grad()
def consistency(model, loader):
    model.eval()
    scores, truth = [], []
    for X, y in loader:
        scores += model(X)[:, 0].tolist()
        truth += y.tolist()
    return srocc(scores, truth), plcc(scores, truth)


def main():
    parser = argparse.ArgumentParser(description="Deep bilinear CNN for blind image quality assessment.")
    parser.add_argument("--base_lr", type=float, default=1e-2)
    parser.add_argument("--batch_size", type=int, default=4)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--height", type=int, default=36)
    parser.add_argument("--width", type=int, default=56)
    args = parser.parse_args()

    torch.manual_seed(0)
    train_loader = DataLoader(LiveToy(24, args.height, args.width, seed=1), batch_size=args.batch_size)
    test_loader = DataLoader(LiveToy(8, args.height, args.width, seed=2), batch_size=1)
    model = DBCNN()
    optimizer = torch.optim.Adam(model.parameters(), lr=args.base_lr)
    criterion = torch.nn.MSELoss()
    for epoch in range(args.epochs):
        loss = train(model, train_loader, optimizer, criterion)
        s, p = consistency(model, test_loader)
        print("%d\t loss %.4f\t srocc %.4f\t plcc %.4f" % (epoch, loss, s, p))


if __name__ == "__main__":
    main()
