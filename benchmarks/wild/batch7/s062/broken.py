import argparse

import torch

from data import caption_pairs
from engine import Engine
from vse import VSE


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=4)
    p.add_argument("--batch", type=int, default=16)
    p.add_argument("--val-step", type=int, default=3)
    p.add_argument("--margin", type=float, default=0.2)
    args = p.parse_args()
    torch.manual_seed(0)
    engine = Engine(VSE(20, 14, 16, args.margin), caption_pairs(60, seed=2), args.val_step)
    train = caption_pairs(192, seed=1)
    for epoch in range(args.epochs):
        loss = engine.train_epoch(train, args.batch)
        print(f"epoch {epoch} loss {loss:.4f} recall {engine.last_recall:.4f}")


if __name__ == "__main__":
    main()
