import argparse
import os

import torch
import yaml

from pictures import caption_batches
from towers import ImageTower, contrastive
from fixed_text_tower import TextTower

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    parser = argparse.ArgumentParser(description="image-text pretraining")
    parser.add_argument("--cfg", default=os.path.join(HERE, "clip.yaml"))
    args = parser.parse_args()
    with open(args.cfg) as f:
        cfg = yaml.safe_load(f)
    torch.manual_seed(cfg["seed"])
    text = TextTower(**cfg["text"])
    image = ImageTower(cfg["image"]["channels"], cfg["text"]["embed_dim"])
    params = [*text.parameters(), *image.parameters()]
    opt = torch.optim.AdamW(params, lr=cfg["solver"]["lr"])
    for epoch in range(cfg["solver"]["epochs"]):
        total, n = 0.0, 0
        for pics, tokens in caption_batches(cfg["solver"]["pairs"], cfg["solver"]["batch_size"],
                                            cfg["text"]["context_length"], cfg["text"]["vocab_size"]):
            loss = contrastive(image(pics), text(tokens))
            opt.zero_grad()
            loss.backward()
            opt.step()
            total, n = total + loss.item(), n + 1
        print(f"epoch {epoch} loss {total / n:.4f}")


if __name__ == "__main__":
    main()
