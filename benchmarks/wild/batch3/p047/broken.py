import argparse
import os
import tempfile

import torch
from torch.utils.data import DataLoader

from collators import PadCollator
from corpus import ChatFile, write_chats
from config import DATA, MODEL, TRAIN
from lm import ChatLM, lm_loss


def run(args):
    torch.manual_seed(TRAIN["seed"])
    with tempfile.TemporaryDirectory() as d:
        path = os.path.join(d, "chats.txt")
        write_chats(path, args.n_chats)
        dataset = ChatFile(path, DATA["max_len"])
    collate = PadCollator(DATA["pad_values"], multiple_of=DATA["multiple_of"])
    loader = DataLoader(dataset, batch_size=TRAIN["batch_size"], shuffle=True, collate_fn=collate)
    model = ChatLM(dataset.n_tokens, **MODEL)
    opt = torch.optim.AdamW(model.parameters(), lr=TRAIN["lr"])
    for epoch in range(args.epochs):
        total, count = 0.0, 0
        for batch in loader:
            logits = model(batch["input_ids"], batch["attention_mask"])
            loss, n = lm_loss(logits, batch["labels"])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total, count = total + loss.item() * n, count + n
        print("epoch %d loss %.4f over %d tokens" % (epoch, total / count, count))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--n-chats", type=int, default=40)
    parser.add_argument("--epochs", type=int, default=2)
    run(parser.parse_args())
