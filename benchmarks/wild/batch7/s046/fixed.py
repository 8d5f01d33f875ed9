import argparse

import torch

from pictures import bars
from fixed_vae import TwoLevelVAE


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=6)
    p.add_argument("--batch", type=int, default=32)
    p.add_argument("--beta", type=float, default=0.05)
    args = p.parse_args()
    torch.manual_seed(0)
    data = bars(192)
    model = TwoLevelVAE(data.size(1))
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    for epoch in range(args.epochs):
        sums = torch.zeros(3)
        for rows in torch.randperm(len(data)).split(args.batch):
            rec, kl1, kl2 = model.losses(data[rows])
            loss = rec + args.beta * (kl1 + kl2)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sums += torch.stack([rec, kl1, kl2]).detach()
        rec, kl1, kl2 = (sums / (len(data) / args.batch)).tolist()
        print(f"epoch {epoch} rec {rec:.4f} kl1 {kl1:.4f} kl2 {kl2:.4f}")


if __name__ == "__main__":
    main()
