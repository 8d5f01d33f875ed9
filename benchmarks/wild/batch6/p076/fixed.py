import argparse
import os

import torch
import yaml

from attention_decoder import BahdanauDecoder
from dates import BOS, VOCAB, date_batches
from fixed_dynamic_encoder import DynamicEncoder
from run import step

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    parser = argparse.ArgumentParser(description="attention seq2seq")
    parser.add_argument("--config", default=os.path.join(HERE, "seq2seq.yaml"))
    parser.add_argument("--epochs", type=int, default=2)
    args = parser.parse_args()
    with open(args.config) as f:
        cfg = yaml.safe_load(f)
    torch.manual_seed(cfg["seed"])
    encoder = DynamicEncoder(VOCAB, cfg["embed"], cfg["hidden"], cfg["encoder_layers"])
    decoder = BahdanauDecoder(VOCAB, cfg["embed"], cfg["hidden"], cfg["decoder_layers"])
    opt = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()], lr=cfg["lr"])
    for epoch in range(args.epochs):
        total, n = 0.0, 0
        for src, lengths, tgt in date_batches(cfg["pairs"], cfg["batch"]):
            loss = step(encoder, decoder, src, lengths, tgt, BOS)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total, n = total + loss.item(), n + 1
        print(f"epoch {epoch} loss {total / n:.4f}")


if __name__ == "__main__":
    main()
