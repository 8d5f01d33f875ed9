"""K-fold validation with a fresh model each fold, one-dimensional output kept by view(-1)."""
import copy

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Subset, TensorDataset

K = 4


def folds(n, k, generator):
    order = torch.randperm(n, generator=generator)
    for held in order.chunk(k):
        kept = order[~torch.isin(order, held)]
        yield kept.tolist(), held.tolist()


def train_one(model, data, indices):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    criterion = nn.BCEWithLogitsLoss()
    for _ in range(2):
        for x, y in DataLoader(Subset(data, indices), batch_size=8, shuffle=True):
            optimizer.zero_grad()
            loss = criterion(model(x).view(-1), y)
            loss.backward()
            optimizer.step()
    return model


def auc(scores, labels):
    """The share of (positive, negative) pairs in the right order: all pairs on purpose."""
    positive, negative = scores[labels == 1], scores[labels == 0]
    above = (positive[:, None] > negative[None, :]).float()
    level = (positive[:, None] == negative[None, :]).float()
    return (above + 0.5 * level).mean().item()


def main():
    g = torch.Generator().manual_seed(35)
    x = torch.randn(50, 5, generator=g)
    y = (x.sum(dim=1) + 0.5 * torch.randn(50, generator=g) > 0).float()
    data = TensorDataset(x, y)
    torch.manual_seed(35)
    blank = nn.Sequential(nn.Linear(5, 8), nn.Tanh(), nn.Linear(8, 1))
    results = []
    for kept, held in folds(len(data), K, g):
        model = train_one(copy.deepcopy(blank), data, kept).eval()
        with torch.no_grad():
            scores = torch.cat([model(xb).view(-1) for xb, _ in DataLoader(Subset(data, held), batch_size=5)])
        results.append(auc(scores, y[held]))
    print("auc by fold", [round(r, 3) for r in results])


if __name__ == "__main__":
    main()
