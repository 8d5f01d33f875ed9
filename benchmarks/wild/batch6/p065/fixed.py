import argparse
import os
import tempfile

import torch
from torch.utils.data import DataLoader, random_split

from dice import dice_loss
from fixed_disk import MaskFolder, write_examples
from segnet import SegNet


def get_args():
    parser = argparse.ArgumentParser(description="train a segmenter on images and masks")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--batch-size", type=int, default=4)
    parser.add_argument("--learning-rate", type=float, default=2e-3)
    parser.add_argument("--scale", type=float, default=0.5)
    parser.add_argument("--validation", type=float, default=25.0)
    parser.add_argument("--classes", type=int, default=2)
    return parser.parse_args()


def run_epoch(model, loader, classes, opt=None):
    total = 0.0
    for image, mask in loader:
        logits = model(image)
        if opt is not None:
            loss = torch.nn.functional.cross_entropy(logits, mask) + dice_loss(logits, mask, classes)
            opt.zero_grad()
            loss.backward()
            opt.step()
        else:
            loss = dice_loss(logits, mask, classes)
        total += loss.item()
    return total / len(loader)


def main():
    args = get_args()
    torch.manual_seed(0)
    with tempfile.TemporaryDirectory() as root:
        write_examples(root, 16, 24)
        data = MaskFolder(root, args.scale)
        n_val = int(len(data) * args.validation / 100)
        train, val = random_split(data, [len(data) - n_val, n_val])
        model = SegNet(args.classes)
        opt = torch.optim.Adam(model.parameters(), lr=args.learning_rate)
        val_loader = DataLoader(val, batch_size=args.batch_size)
        with torch.no_grad():
            print(f"before dice loss {run_epoch(model, val_loader, args.classes):.4f}")
        for epoch in range(args.epochs):
            loss = run_epoch(model, DataLoader(train, batch_size=args.batch_size, shuffle=True), args.classes, opt)
            with torch.no_grad():
                print(f"epoch {epoch} loss {loss:.4f} val {run_epoch(model, val_loader, args.classes):.4f}")


if __name__ == "__main__":
    main()
