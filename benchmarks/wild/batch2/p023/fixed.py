import argparse

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from data import PointClouds
from fixed_model import CurveNetLite


def train(args, model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
    for epoch in range(args.epochs):
        model.train()
        train_loss, count = 0.0, 0
        for data, label in loader:
            logits = model(data)
            loss = F.cross_entropy(logits, label, label_smoothing=0.1)
            opt.zero_grad()
            loss.backward()
            opt.step()
            train_loss += loss.item() * len(label)
            count += len(label)
        print("Train %d, loss: %.4f" % (epoch, train_loss / count))


@torch.no_grad()
def test(model, loader):
    model.eval()
    correct = total = 0
    for data, label in loader:
        pred = model(data).max(dim=1)[1]
        correct += (pred == label).sum().item()
        total += len(label)
    print("Test :: test acc: %.4f" % (correct / total))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Point cloud recognition")
    parser.add_argument("--batch_size", type=int, default=8)
    parser.add_argument("--test_batch_size", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--lr", type=float, default=0.05)
    parser.add_argument("--num_points", type=int, default=64)
    args = parser.parse_args()

    torch.manual_seed(0)
    train_loader = DataLoader(PointClouds(48, args.num_points, seed=1), batch_size=args.batch_size, shuffle=True)
    test_loader = DataLoader(PointClouds(6, args.num_points, seed=2), batch_size=args.test_batch_size)
    model = CurveNetLite(num_classes=3)
    train(args, model, train_loader)
    test(model, test_loader)
