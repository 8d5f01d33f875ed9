import argparse
from pathlib import Path

import torch
import yaml
from torch.utils.data import DataLoader

from pointmodel import PointTransformer
from runner import Runner
from shapes import ShapeCloud


def get_parser():
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", type=Path, default=Path(__file__).parent / "finetune.yaml")
    parser.add_argument("--seed", type=int, default=0)
    return parser


def main():
    args = get_parser().parse_args()
    cfg = yaml.safe_load(args.config.read_text())
    torch.manual_seed(args.seed)
    train = ShapeCloud(cfg["dataset"]["train"], cfg["npoints"])
    test = ShapeCloud(cfg["dataset"]["test"], cfg["npoints"])
    model = PointTransformer(cfg["model"])
    runner = Runner(model, **cfg["optimizer"])
    for epoch in range(cfg["max_epoch"]):
        loss = runner.fit(DataLoader(train, batch_size=cfg["total_bs"], shuffle=True))
        print("epoch %d loss %.4f" % (epoch, loss))
    print("accuracy %.4f" % runner.test(DataLoader(test, batch_size=cfg["total_bs"])))


if __name__ == "__main__":
    main()
