import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from builder import MoCo
from loader import TwoCropsDataset


def get_parser():
    parser = argparse.ArgumentParser(description="MoCo pretraining")
    parser.add_argument("--epochs", default=2, type=int)
    parser.add_argument("-b", "--batch-size", default=16, type=int)
    parser.add_argument("--lr", default=0.03, type=float)
    parser.add_argument("--n-images", default=72, type=int)
    # moco specific configs
    parser.add_argument("--moco-dim", default=24, type=int)
    parser.add_argument("--moco-k", default=64, type=int, help="queue size; number of negative keys")
    parser.add_argument("--moco-m", default=0.99, type=float)
    parser.add_argument("--moco-t", default=0.07, type=float)
    return parser


def train_epoch(loader, model, criterion, optimizer):
    total = 0.0
    for im_q, im_k in loader:
        output, target = model(im_q, im_k)
        loss = criterion(output, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total / len(loader)


def main():
    args = get_parser().parse_args()
    torch.manual_seed(0)
    loader = DataLoader(TwoCropsDataset(args.n_images), batch_size=args.batch_size, shuffle=True, drop_last=True)
    model = MoCo(dim=args.moco_dim, K=args.moco_k, m=args.moco_m, T=args.moco_t)
    optimizer = torch.optim.SGD(model.encoder_q.parameters(), args.lr, momentum=0.9)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(args.epochs):
        loss = train_epoch(loader, model, criterion, optimizer)
        print("Epoch [%d] loss %.4f ptr %d" % (epoch, loss, int(model.queue_ptr)))


if __name__ == "__main__":
    main()
