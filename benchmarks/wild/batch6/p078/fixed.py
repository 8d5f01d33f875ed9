import argparse
import json
import os

import torch

from detector import Detector
from shapes import shape_batches
from targets import detection_loss

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    parser = argparse.ArgumentParser(description="guided anchors")
    parser.add_argument("--config", default=os.path.join(HERE, "fixed_ga_rpn.json"))
    args = parser.parse_args()
    with open(args.config) as f:
        cfg = json.load(f)
    torch.manual_seed(cfg["seed"])
    model = Detector(cfg["model"], cfg["test_cfg"])
    opt = torch.optim.Adam(model.parameters(), lr=cfg["lr"])
    for epoch in range(cfg["epochs"]):
        total, kept, n = 0.0, 0, 0
        for images, boxes in shape_batches(cfg["images"], cfg["batch"], cfg["size"]):
            scores, deltas = model(images)
            loss = detection_loss(scores, deltas, boxes, cfg["model"]["strides"])
            opt.zero_grad()
            loss.backward()
            opt.step()
            kept += len(model.proposals(scores, deltas, 0))
            total, n = total + loss.item(), n + 1
        print(f"epoch {epoch} loss {total / n:.4f} proposals {kept / n:.4f}")


if __name__ == "__main__":
    main()
