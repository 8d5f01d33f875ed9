import argparse
import json
import os

import torch
from torch.utils.data import DataLoader

from fixed_counter import Counter
from crowd import CrowdImages
from fitting import evaluate, fit_epoch

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    parser = argparse.ArgumentParser(description="object counting")
    parser.add_argument("--settings", default=os.path.join(HERE, "settings.json"))
    args = parser.parse_args()
    with open(args.settings) as f:
        cfg = json.load(f)
    torch.manual_seed(cfg["seed"])
    train = DataLoader(CrowdImages(cfg["train_images"], cfg["image_size"], 1), batch_size=cfg["batch"], shuffle=True)
    val = DataLoader(CrowdImages(cfg["val_images"], cfg["image_size"], 2), batch_size=cfg["batch"])
    model = Counter(cfg["backbone_dim"], cfg["proj_dim"], cfg["image_size"], cfg["patch"])
    opt = torch.optim.AdamW(model.parameters(), lr=cfg["lr"])
    for epoch in range(cfg["epochs"]):
        loss = fit_epoch(model, train, opt)
        print(f"epoch {epoch} loss {loss:.4f} mae {evaluate(model, val):.4f}")


if __name__ == "__main__":
    main()
