import argparse

import torch

from histories import Histories
from fixed_sasrec import SASRec
from training import train_epoch


def main():
    p = argparse.ArgumentParser(description="self-attentive recommendations")
    p.add_argument("--maxlen", type=int, default=20)
    p.add_argument("--items", type=int, default=60)
    p.add_argument("--users", type=int, default=96)
    p.add_argument("--epochs", type=int, default=4)
    p.add_argument("--batch", type=int, default=16)
    args = p.parse_args()
    torch.manual_seed(0)
    data = Histories(args.users, args.items, args.maxlen)
    model = SASRec(args.items, args.maxlen, dim=24, heads=2, blocks=2)
    opt = torch.optim.Adam(model.parameters(), lr=4e-3, betas=(0.9, 0.98))
    for epoch in range(args.epochs):
        loss = train_epoch(model, data, args.batch, opt)
        print(f"epoch {epoch} loss {loss:.4f}")
    with torch.no_grad():
        seq, target = data.last_items()
        scores = model.predict(seq)
        rank = (scores > scores.gather(1, target[:, None])).sum(dim=1).float()
        print(f"mean rank of the next item {rank.mean().item():.4f}")


if __name__ == "__main__":
    main()
