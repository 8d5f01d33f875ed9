import argparse
import random

import torch
from torch.utils.data import DataLoader

from augmentations import SSDAugmentation
from boxdata import PlateDetection, detection_collate
from detector import GridDetector, GridLoss


def main():
    parser = argparse.ArgumentParser(description="Grid detector training")
    parser.add_argument("--batch_size", type=int, default=4)
    parser.add_argument("--lr", type=float, default=1e-2)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--image_size", type=int, default=48)
    parser.add_argument("--grid", type=int, default=6)
    args = parser.parse_args()

    random.seed(0)
    torch.manual_seed(0)
    dataset = PlateDetection(16, transform=SSDAugmentation(args.image_size))
    data_loader = DataLoader(dataset, args.batch_size, shuffle=False, collate_fn=detection_collate)
    net = GridDetector(args.grid, num_classes=2)
    criterion = GridLoss(args.grid)
    optimizer = torch.optim.SGD(net.parameters(), lr=args.lr, momentum=0.9)
    for epoch in range(args.epochs):
        total = 0.0
        for images, targets in data_loader:
            out = net(images)
            loss_l, loss_c = criterion(out, targets)
            loss = loss_l + loss_c
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        print("epoch %d || Loss: %.4f ||" % (epoch, total / len(data_loader)))


if __name__ == "__main__":
    main()
