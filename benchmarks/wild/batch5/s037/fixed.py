import argparse

import torch

from lm import TinyLM, pretrain
from pairs import collate, make_pairs
from fixed_preference import dpo_loss, sequence_logps


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--beta", type=float, default=0.1)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--batch", type=int, default=8)
    args = parser.parse_args()
    torch.manual_seed(0)
    policy = TinyLM(vocab=30)
    pretrain(policy, steps=40)
    reference = TinyLM(vocab=30)
    reference.load_state_dict(policy.state_dict())
    opt = torch.optim.Adam(policy.parameters(), lr=1e-3)
    data = make_pairs(64)
    for epoch in range(args.epochs):
        total, margin = 0.0, 0.0
        for i in range(0, len(data), args.batch):
            ids, labels = collate(data[i:i + args.batch])
            with torch.no_grad():
                ref = sequence_logps(reference(ids), labels)
            logps = sequence_logps(policy(ids), labels)
            loss, gap = dpo_loss(logps, ref, args.beta)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total, margin = total + loss.item(), margin + gap.item()
        n = len(data) // args.batch
        print(f"epoch {epoch} loss {total / n:.4f} reward margin {margin / n:.4f}")


if __name__ == "__main__":
    main()
