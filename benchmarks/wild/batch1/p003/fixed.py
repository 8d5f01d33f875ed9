import argparse

import torch
from torch.utils.data import DataLoader

from data import ContrastiveDataset
from fixed_simclr import SimCLR
from network import Encoder

parser = argparse.ArgumentParser(description="SimCLR")
parser.add_argument("--epochs", default=2, type=int)
parser.add_argument("-b", "--batch-size", default=16, type=int)
parser.add_argument("--lr", default=3e-3, type=float)
parser.add_argument("--out-dim", default=32, type=int, help="feature dimension")
parser.add_argument("--temperature", default=0.07, type=float)
parser.add_argument("--n-views", default=2, type=int)
parser.add_argument("--n-images", default=72, type=int)
parser.add_argument("--seed", default=0, type=int)


def main():
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    dataset = ContrastiveDataset(args.n_images, n_views=args.n_views)
    loader = DataLoader(dataset, batch_size=args.batch_size, shuffle=True)
    model = Encoder(out_dim=args.out_dim)
    optimizer = torch.optim.Adam(model.parameters(), args.lr, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=len(loader))
    simclr = SimCLR(model=model, optimizer=optimizer, scheduler=scheduler, args=args)
    simclr.train(loader)


if __name__ == "__main__":
    main()
