import argparse

import torch
import torch.nn.functional as F

from phrases import BOS, make_phrases
from translate import greedy
from transformer import Translator


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=80)
    parser.add_argument("--batch", type=int, default=32)
    args = parser.parse_args()
    torch.manual_seed(0)
    src, tgt = make_phrases(256)
    model = Translator(vocab=24, dim=32, heads=4, layers=1)
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    g = torch.Generator().manual_seed(2)
    for step in range(args.steps):
        rows = torch.randint(0, len(src), (args.batch,), generator=g)
        bos = torch.full((args.batch, 1), BOS)
        tgt_in = torch.cat([bos, tgt[rows, :-1]], dim=1)
        loss = F.cross_entropy(model(src[rows], tgt_in).transpose(1, 2), tgt[rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 20 == 19:
            print(f"step {step} loss {loss.item():.4f}")
    out = greedy(model, src[:64], tgt.size(1))
    print(f"greedy token accuracy {(out == tgt[:64]).float().mean().item():.4f}")


if __name__ == "__main__":
    main()
