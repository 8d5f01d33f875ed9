import argparse

import torch
import torch.nn.functional as F

from corpus import melody_batch
from fixed_decoder import MusicGPT
from sampling import generate, score_cached


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--length", type=int, default=16)
    args = parser.parse_args()
    torch.manual_seed(0)
    model = MusicGPT(vocab=20, dim=32, heads=4, layers=2, max_len=32)
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
    g = torch.Generator().manual_seed(1)
    for step in range(args.steps):
        notes = melody_batch(24, args.length, g)
        logits, _ = model(notes[:, :-1])
        loss = F.cross_entropy(logits.transpose(1, 2), notes[:, 1:])
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 20 == 19:
            print(f"step {step} loss {loss.item():.4f}")
    model.eval()
    test = melody_batch(8, args.length, g)
    print("continuation", generate(model, test[:1, :4], 8).tolist())
    print(f"cached nll {score_cached(model, test, start=4):.4f}")


if __name__ == "__main__":
    main()
