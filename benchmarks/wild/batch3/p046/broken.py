import logging
import tempfile
import warnings

import torch
import lightning as L

from datamodule import LeafData
from lit import LitLeaf
from hparams import HParams

warnings.filterwarnings("ignore")
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)


def main():
    hp = HParams(max_epochs=2)
    L.seed_everything(hp.seed, verbose=False)
    with tempfile.TemporaryDirectory() as folder:
        dm = LeafData(folder, hp)
        model = LitLeaf(hp)
        trainer = L.Trainer(
            max_epochs=hp.max_epochs, accelerator="cpu", logger=False, enable_checkpointing=False,
            enable_progress_bar=False, enable_model_summary=False, num_sanity_val_steps=0)
        trainer.fit(model, datamodule=dm)
    for epoch, row in enumerate(model.history):
        print("epoch", epoch, "val loss", round(row["loss"], 4), "hardest", row["hardest"])


if __name__ == "__main__":
    main()
