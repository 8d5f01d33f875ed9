import argparse

import torch
from torch.utils.data import DataLoader

from summaries import SummaryData, collate
from t5ish import EncoderDecoder


def main():
    p = argparse.ArgumentParser(description="headlines")
    p.add_argument("--epochs", type=int, default=4)
    p.add_argument("--batch", type=int, default=16)
    args = p.parse_args()
    torch.manual_seed(0)
    data, held_out = SummaryData(160, 1), SummaryData(40, 2)
    loader = DataLoader(data, batch_size=args.batch, shuffle=True, collate_fn=collate)
    model = EncoderDecoder(vocab=32, dim=32)
    opt = torch.optim.AdamW(model.parameters(), lr=4e-3)
    for epoch in range(args.epochs):
        total = 0.0
        for batch in loader:
            loss = model(**batch)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        with torch.no_grad():
            test = model(**collate([held_out[i] for i in range(len(held_out))])).item()
        print(f"epoch {epoch} loss {total / len(loader):.4f} test {test:.4f}")


if __name__ == "__main__":
    main()
