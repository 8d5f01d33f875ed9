import tempfile
from pathlib import Path

import torch

from loaders import build_loaders
from model import SentimentNet
from reviews import dump_reviews
from settings import Settings
from trainer import Trainer


def main():
    settings = Settings()
    torch.manual_seed(settings.seed)
    with tempfile.TemporaryDirectory() as tmp:
        folder = Path(tmp)
        dump_reviews(folder / "train.tsv", 96, seed=1)
        dump_reviews(folder / "valid.tsv", 41, seed=2)
        vocab, train_loader, valid_loader = build_loaders(folder, settings)
    model = SentimentNet(len(vocab), settings)
    trainer = Trainer(model, settings)
    for epoch in range(settings.epochs):
        train_loss = trainer.fit_epoch(train_loader)
        valid_loss = trainer.validate(valid_loader)
        print("epoch {} train {:.4f} valid {:.4f}".format(epoch, train_loss, valid_loss))


if __name__ == "__main__":
    main()
