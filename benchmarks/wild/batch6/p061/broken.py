import argparse
import os

import torch
import yaml
from torch.utils.data import DataLoader

from speech2face import FaceGenerator
from trainer import Trainer
from voices import VoiceFaceDataset

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    parser = argparse.ArgumentParser(description="faces from voices")
    parser.add_argument("--config", default=os.path.join(HERE, "wav2face.yaml"))
    parser.add_argument("--epochs", type=int, default=None)
    args = parser.parse_args()
    with open(args.config) as f:
        cfg = yaml.safe_load(f)
    torch.manual_seed(cfg["seed"])
    data = VoiceFaceDataset(cfg["data"]["speakers"], cfg["data"]["rate"], cfg["data"]["seconds"],
                            cfg["data"]["image"])
    loader = DataLoader(data, batch_size=cfg["train"]["batch"], shuffle=True)
    model = FaceGenerator(cfg["model"]["width"], cfg["data"]["image"])
    trainer = Trainer(model, loader, cfg["train"]["lr"])
    for epoch in range(args.epochs or cfg["train"]["epochs"]):
        print(f"epoch {epoch} loss {trainer.epoch():.4f}")


if __name__ == "__main__":
    main()
