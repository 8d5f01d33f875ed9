import warnings

import torch
from torch.utils.data import DataLoader
from transformers.utils import logging

from dataset import InvoiceDataset
from engine import eval_fn, train_fn
from settings import CFG, LABELS
from trainer import TokenModel

warnings.filterwarnings("ignore")
logging.set_verbosity_error()


def main():
    torch.manual_seed(CFG["seed"])
    train_loader = DataLoader(InvoiceDataset(32, seed=1), batch_size=CFG["batch_size"])
    valid_loader = DataLoader(InvoiceDataset(16, seed=2), batch_size=CFG["batch_size"])
    model = TokenModel(num_labels=len(LABELS))
    optimizer = torch.optim.AdamW(model.parameters(), lr=CFG["lr"])
    for epoch in range(CFG["epochs"]):
        train_loss = train_fn(train_loader, model, optimizer)
        valid_loss, acc = eval_fn(valid_loader, model)
        print("epoch %d train %.4f valid %.4f token acc %.4f" % (epoch, train_loss, valid_loss, acc))


if __name__ == "__main__":
    main()
