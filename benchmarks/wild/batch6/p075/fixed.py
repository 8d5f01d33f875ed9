import argparse
import json
import os

import torch

from gpt import GPTModel
from fixed_loaders import create_dataloader
from text import TEXT, CharTokenizer
from training import train_epoch

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    parser = argparse.ArgumentParser(description="a small GPT on characters")
    parser.add_argument("--config", default=os.path.join(HERE, "gpt.json"))
    args = parser.parse_args()
    with open(args.config) as f:
        cfg = json.load(f)
    torch.manual_seed(cfg["seed"])
    tokenizer = CharTokenizer(TEXT)
    split = int(0.9 * len(TEXT))
    train = create_dataloader(TEXT[:split], tokenizer, cfg["batch_size"], cfg["context_length"], cfg["stride"], True)
    val = create_dataloader(TEXT[split:], tokenizer, cfg["batch_size"], cfg["context_length"], cfg["stride"], False)
    model = GPTModel(len(tokenizer), cfg["context_length"], cfg["emb_dim"], cfg["n_heads"], cfg["n_layers"])
    opt = torch.optim.AdamW(model.parameters(), lr=cfg["lr"])
    for epoch in range(cfg["epochs"]):
        loss = train_epoch(model, train, opt)
        with torch.no_grad():
            held_out = train_epoch(model, val, None)
        print(f"epoch {epoch} train {loss:.4f} val {held_out:.4f}")


if __name__ == "__main__":
    main()
