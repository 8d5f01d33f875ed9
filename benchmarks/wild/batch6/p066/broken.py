import argparse
import os

import torch
import yaml
from torch.utils.data import DataLoader

from changes import ScenePairs
from pixel_loss import ConstrastiveThresholdLoss
from siamese import SiameseNet

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    parser = argparse.ArgumentParser(description="scene change detection")
    parser.add_argument("--cfg", default=os.path.join(HERE, "cdnet.yaml"))
    parser.add_argument("--epochs", type=int, default=2)
    args = parser.parse_args()
    with open(args.cfg) as f:
        cfg = yaml.safe_load(f)
    torch.manual_seed(cfg["SEED"])
    data = ScenePairs(cfg["DATA"]["PAIRS"], cfg["DATA"]["SIZE"])
    loader = DataLoader(data, batch_size=cfg["TRAIN"]["BATCH_SIZE"], shuffle=True)
    model = SiameseNet(cfg["MODEL"]["CHANNELS"], cfg["MODEL"]["NORM"])
    criterion = ConstrastiveThresholdLoss(cfg["TRAIN"]["MARGIN"])
    opt = torch.optim.Adam(model.parameters(), lr=cfg["TRAIN"]["LR"])
    for epoch in range(args.epochs):
        total = 0.0
        for t0, t1, change in loader:
            loss = sum(criterion(a, b, change) for a, b in model(t0, t1))
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        print(f"epoch {epoch} loss {total / len(loader):.4f}")


if __name__ == "__main__":
    main()
