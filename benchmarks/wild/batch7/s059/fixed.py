import argparse

import torch

from flow import VelocityNet, flow_loss
from latents import latent_batches


def train_step(model, opt, micro_batches, g):
    """One optimizer step over all micro-batches."""
    total = 0.0
    opt.zero_grad(set_to_none=True)
    for x, y in micro_batches:
        loss = flow_loss(model, x, y, g) / len(micro_batches)
        loss.backward()
        total += loss.item()
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 10.0)
    opt.step()
    return total, norm.item()


def main():
    p = argparse.ArgumentParser(description="flow matching on latents")
    p.add_argument("--global-batch", type=int, default=64)
    p.add_argument("--accum", type=int, default=4)
    p.add_argument("--steps", type=int, default=40)
    p.add_argument("--lr", type=float, default=0.05)
    args = p.parse_args()
    torch.manual_seed(0)
    g = torch.Generator().manual_seed(1)
    model = VelocityNet(8, 4)
    opt = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
    for step in range(args.steps):
        x, y = latent_batches(args.global_batch, g)
        micro = list(zip(x.chunk(args.accum), y.chunk(args.accum)))
        loss, norm = train_step(model, opt, micro, g)
        if step % 8 == 7:
            print(f"step {step} loss {loss:.4f} grad norm {norm:.4f}")


if __name__ == "__main__":
    main()
