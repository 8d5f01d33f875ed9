import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from fixed_config import get_config
from data import CaptchaDataset, collate
from model import CRNN


def decode(log_probs, blank):
    best = log_probs.argmax(-1).t()
    out = []
    for row in best:
        prev, chars = blank, []
        for c in row.tolist():
            if c != blank and c != prev:
                chars.append(c)
            prev = c
        out.append(chars)
    return out


def train_epoch(model, loader, criterion, optimizer):
    model.train()
    total = 0.0
    for images, targets, input_lengths, target_lengths in loader:
        log_probs = model(images).log_softmax(2)
        loss = criterion(log_probs, targets, input_lengths, target_lengths)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        total += loss.item()
    return total / len(loader)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--lr", type=float, default=1e-3)
    args = parser.parse_args()

    torch.manual_seed(0)
    cfg = get_config()
    dataset = CaptchaDataset(cfg, size=24)
    loader = DataLoader(dataset, batch_size=cfg.batch_size, shuffle=False, collate_fn=collate)
    model = CRNN(cfg)
    criterion = nn.CTCLoss(blank=cfg.blank, zero_infinity=True)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    for epoch in range(args.epochs):
        loss = train_epoch(model, loader, criterion, optimizer)
        print("epoch %d loss %.4f" % (epoch, loss))

    model.eval()
    with torch.no_grad():
        images, *_ = next(iter(loader))
        words = decode(model(images).log_softmax(2), cfg.blank)
    print("decoded", len(words), "captchas")


if __name__ == "__main__":
    main()
