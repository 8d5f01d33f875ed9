import argparse

import torch
from torch.utils.data import DataLoader

from data import TotalSegmentator2D
from metrics import mean_iou
from model import SegmentationHead, TinyBackbone


def parse_args():
    p = argparse.ArgumentParser("linear probing on organ masks")
    p.add_argument("--steps", type=int, default=8)
    p.add_argument("--batch-size", type=int, default=4)
    p.add_argument("--lr", type=float, default=0.01)
    p.add_argument("--seed", type=int, default=0)
    return p.parse_args()


def main():
    args = parse_args()
    torch.manual_seed(args.seed)
    train_set = TotalSegmentator2D("train", length=16)
    val_set = TotalSegmentator2D("val", length=8)
    train_loader = DataLoader(train_set, batch_size=args.batch_size)
    val_loader = DataLoader(val_set, batch_size=args.batch_size)

    backbone = TinyBackbone(dim=24).eval()
    head = SegmentationHead(24, num_classes=train_set.num_classes)
    optimizer = torch.optim.AdamW(head.parameters(), lr=args.lr)
    criterion = torch.nn.CrossEntropyLoss()

    step = 0
    while step < args.steps:
        for images, masks in train_loader:
            with torch.no_grad():
                features = backbone(images)
            logits = head(features, images.shape[-2:])
            loss = criterion(logits, masks)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            step += 1
        print("step %d loss %.4f" % (step, loss.item()))

    head.eval()
    scores = []
    with torch.no_grad():
        for images, masks in val_loader:
            pred = head(backbone(images), images.shape[-2:]).argmax(1)
            scores.append(mean_iou(pred, masks, val_set.num_classes))
    print("mIoU %.4f" % (sum(scores) / len(scores)))


if __name__ == "__main__":
    main()
