import argparse

import torch

from dpo_trainer import concatenated_forward, dpo_loss
from language import TinyLM, warm_up
from preferences import PreferenceData


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--beta", type=float, default=0.2)
    p.add_argument("--epochs", type=int, default=4)
    p.add_argument("--batch", type=int, default=8)
    args = p.parse_args()
    torch.manual_seed(0)
    policy, reference = TinyLM(26), TinyLM(26)
    print(f"warm up {warm_up(policy, 40):.4f}")
    reference.load_state_dict(policy.state_dict())
    data = PreferenceData(48)
    opt = torch.optim.Adam(policy.parameters(), lr=1e-3)
    for epoch in range(args.epochs):
        total, gap = 0.0, 0.0
        for i in range(0, len(data), args.batch):
            batch = data.collate(range(i, i + args.batch))
            with torch.no_grad():
                ref = concatenated_forward(reference, *batch)
            loss, margin = dpo_loss(concatenated_forward(policy, *batch), ref, args.beta)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total, gap = total + loss.item(), gap + margin.item()
        n = len(data) // args.batch
        print(f"epoch {epoch} loss {total / n:.4f} margin {gap / n:.4f}")


if __name__ == "__main__":
    main()
