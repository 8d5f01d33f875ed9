import argparse
from dataclasses import dataclass

import torch
from torch.utils.data import DataLoader, TensorDataset

from dialogue import make_dialogues
from fixed_evaluate import answer
from seq2seq import Decoder, Encoder
from teach import train_epoch


@dataclass
class Params:
    vocab: int = 30
    dim: int = 24
    max_len: int = 14
    reply_len: int = 5
    train_size: int = 96
    test_size: int = 20
    batch: int = 16
    lr: float = 5e-3
    epochs: int = 2


def main():
    parser = argparse.ArgumentParser(description="dialogue")
    for name, value in vars(Params()).items():
        parser.add_argument("--" + name, type=type(value), default=value)
    cfg = Params(**vars(parser.parse_args()))
    torch.manual_seed(0)
    encoder, decoder = Encoder(cfg.vocab, cfg.dim), Decoder(cfg.vocab, cfg.dim)
    params = [*encoder.parameters(), *decoder.parameters()]
    opt = torch.optim.Adam(params, lr=cfg.lr)
    train = TensorDataset(*make_dialogues(cfg.train_size, cfg.max_len, cfg.reply_len, cfg.vocab, 1))
    test = TensorDataset(*make_dialogues(cfg.test_size, cfg.max_len, cfg.reply_len, cfg.vocab, 2))
    for epoch in range(cfg.epochs):
        loss = train_epoch(encoder, decoder, DataLoader(train, batch_size=cfg.batch, shuffle=True), opt)
        print(f"epoch {epoch} loss {loss:.4f}")
    right = answer(encoder, decoder, DataLoader(test, batch_size=4), cfg.reply_len)
    print(f"test token accuracy {right:.4f}")


if __name__ == "__main__":
    main()
