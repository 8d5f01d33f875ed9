import argparse
import json
import os

import torch

from diffusion import Palette
from inpaint import corrupted_batches
from unet import SmallUNet

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    p = argparse.ArgumentParser(description="restoration by diffusion")
    p.add_argument("--options", default=os.path.join(HERE, "options.json"))
    p.add_argument("--iters", type=int, default=6)
    args = p.parse_args()
    with open(args.options) as f:
        o = json.load(f)
    torch.manual_seed(o["seed"])
    model = Palette(SmallUNet(o["G_width"]), o["n_timestep_train"], o["n_timestep_test"], o["sampling_method"])
    opt = torch.optim.Adam(model.parameters(), lr=o["lr"])
    batches = corrupted_batches(o["train_batch_size"], o["size"], seed=1)
    for it in range(args.iters):
        clean, cond, mask = next(batches)
        loss = model.loss(clean, cond, mask)
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(f"iter {it} loss {loss.item():.4f}")
    clean, cond, mask = next(corrupted_batches(o["test_batch_size"], o["size"], seed=2))
    restored = model.restore(cond, mask)
    print(f"test error {(restored - clean).abs().mean().item():.4f}")


if __name__ == "__main__":
    main()
