import logging
import warnings

import lightning as L
import torch

from config import CONFIG
from datamodule import DialogueDataModule
from fixed_model import DialogueActClassifier

warnings.filterwarnings("ignore")
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)


def main():
    L.seed_everything(CONFIG["seed"], verbose=False)
    torch.set_num_threads(1)
    datamodule = DialogueDataModule(CONFIG)
    model = DialogueActClassifier(CONFIG)
    trainer = L.Trainer(
        max_epochs=CONFIG["epochs"],
        accelerator="cpu",
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        num_sanity_val_steps=0,
    )
    trainer.fit(model, datamodule=datamodule)
    for epoch, (train_loss, val_loss, acc) in enumerate(model.history):
        print("epoch %d train_loss %.4f val_loss %.4f val_acc %.4f" % (epoch, train_loss, val_loss, acc))


if __name__ == "__main__":
    main()
