import argparse

import torch

from nets import Discriminator, Generator
from fixed_steps import discriminator_step, generator_step
from rooms import batches


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=6)
    p.add_argument("--batch", type=int, default=16)
    p.add_argument("--l1", type=float, default=1.0)
    args = p.parse_args()
    torch.manual_seed(0)
    gen, disc = Generator(), Discriminator()
    g_opt = torch.optim.Adam(gen.parameters(), lr=2e-3, betas=(0.5, 0.9))
    d_opt = torch.optim.Adam(disc.parameters(), lr=1e-3, betas=(0.5, 0.9))
    for epoch in range(args.epochs):
        sums = [0.0, 0.0, 0.0]
        for picture, spec in batches(96, args.batch, seed=epoch):
            adv, rec = generator_step(gen, disc, g_opt, picture, spec, args.l1)
            d = discriminator_step(gen, disc, d_opt, picture, spec)
            sums = [a + b for a, b in zip(sums, (adv, rec, d))]
        n = 96 // args.batch
        print("epoch %d adv %.4f rec %.4f disc %.4f" % (epoch, *[s / n for s in sums]))


if __name__ == "__main__":
    main()
