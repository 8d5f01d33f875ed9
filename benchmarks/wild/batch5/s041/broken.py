import argparse
from dataclasses import dataclass

import torch

from crf import CRF
from sentences import TAGS, batches
from tagger import Tagger
from training import Trainer


@dataclass
class Settings:
    lr: float = 2e-3
    crf_lr: float = 2e-2
    weight_decay: float = 0.01
    epochs: int = 5
    batch: int = 16


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=5)
    args = parser.parse_args()
    torch.manual_seed(0)
    settings = Settings(epochs=args.epochs)
    model = Tagger(vocab=50, dim=24, crf=CRF(len(TAGS)))
    trainer = Trainer(model, settings)
    for epoch in range(settings.epochs):
        loss = trainer.epoch(batches(128, settings.batch))
        print(f"epoch {epoch} nll {loss:.4f}")
    print(f"largest transition {model.crf.transitions.abs().max().item():.4f}")


if __name__ == "__main__":
    main()
