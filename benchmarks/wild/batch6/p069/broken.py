import argparse
import os

import torch
import yaml
from torch.utils.data import DataLoader

from faces import FacePairs
from transfer import MakeupTransfer

HERE = os.path.dirname(os.path.abspath(__file__))


def load(path):
    with open(path) as f:
        return yaml.safe_load(f)


def main():
    parser = argparse.ArgumentParser(description="makeup transfer")
    parser.add_argument("--base", default=os.path.join(HERE, "model.yaml"))
    parser.add_argument("--train", default=os.path.join(HERE, "train.yaml"))
    args = parser.parse_args()
    model_cfg, train_cfg = load(args.base), load(args.train)
    torch.manual_seed(train_cfg["seed"])
    data = FacePairs(train_cfg["pairs"], train_cfg["size"])
    loader = DataLoader(data, batch_size=train_cfg["batch"], shuffle=True)
    model = MakeupTransfer(**model_cfg)
    opt = torch.optim.AdamW(model.parameters(), lr=train_cfg["lr"])
    for epoch in range(train_cfg["epochs"]):
        total = 0.0
        for source, reference, result in loader:
            loss = torch.nn.functional.l1_loss(model(source, reference), result)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        print(f"epoch {epoch} l1 {total / len(loader):.4f}")


if __name__ == "__main__":
    main()
