import argparse
import math
from dataclasses import dataclass

import torch
from torch.utils.data import DataLoader

from backbone import Backbone
from extract import extract_features
from head import train_head
from pets import Pets


@dataclass
class Config:
    pictures: int = 119
    size: int = 16
    batch_size: int = 20
    feature_dim: int = 32
    head_epochs: int = 4
    lr: float = 1e-2


def main():
    p = argparse.ArgumentParser(description="dogs against cats with frozen features")
    for name, value in vars(Config()).items():
        p.add_argument("--" + name.replace("_", "-"), type=type(value), default=value)
    cfg = Config(**vars(p.parse_args()))
    torch.manual_seed(0)
    data = Pets(cfg.pictures, cfg.size)
    loader = DataLoader(data, batch_size=cfg.batch_size)
    backbone = Backbone(cfg.feature_dim).eval()
    features, labels = extract_features(backbone, loader, cfg)
    print(f"{len(features)} pictures, {math.ceil(len(features) / cfg.batch_size)} batches")
    for epoch, loss in enumerate(train_head(features, labels, cfg)):
        print(f"epoch {epoch} loss {loss:.4f}")


if __name__ == "__main__":
    main()
