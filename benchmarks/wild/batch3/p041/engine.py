import torch
from torch import nn


def train_one_epoch(model, loader, opt):
    model.train()
    criterion = nn.BCEWithLogitsLoss()
    total = 0.0
    for img, mask in loader:
        loss = criterion(model(img), mask)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(img)
    return total / len(loader.dataset)


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    scores = []
    for img, mask in loader:
        pred = (model(img) > 0).float()
        inter = (pred * mask).sum()
        scores.append((2 * inter / (pred.sum() + mask.sum() + 1e-6)).item())
    return sum(scores) / len(scores)
