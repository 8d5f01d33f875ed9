import argparse
import os
import tempfile

import torch
import yaml
from torch.utils.data import DataLoader

from engine import evaluate, train_one_epoch
from carvana import CarDataset, write_split
from unet import UNet

HERE = os.path.dirname(os.path.abspath(__file__))


def parse_args():
    parser = argparse.ArgumentParser(description="car masks")
    parser.add_argument("--config", default=os.path.join(HERE, "carvana.yaml"))
    parser.add_argument("--epochs", type=int, default=2)
    return parser.parse_args()


def main():
    args = parse_args()
    with open(args.config) as f:
        cfg = yaml.safe_load(f)
    torch.manual_seed(cfg["seed"])
    with tempfile.TemporaryDirectory() as root:
        write_split(root, "train", 8, cfg["data"]["raw_size"], seed=0)
        write_split(root, "val", 3, cfg["data"]["raw_size"], seed=1)
        crop = tuple(cfg["data"]["crop"])
        train = DataLoader(CarDataset(root, "train", crop), batch_size=cfg["batch_size"], shuffle=True)
        val = DataLoader(CarDataset(root, "val", crop), batch_size=1)
        model = UNet(**cfg["model"])
        opt = torch.optim.Adam(model.parameters(), lr=cfg["lr"])
        for epoch in range(args.epochs):
            loss = train_one_epoch(model, train, opt)
            dice = evaluate(model, val)
            print(f"epoch {epoch} loss {loss:.4f} dice {dice:.4f}")


if __name__ == "__main__":
    main()
