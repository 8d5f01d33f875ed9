import argparse

import torch

from acoustic import AcousticModel
from decoding import error_rate, greedy_decode
from speech import load, pad_batch


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=8)
    p.add_argument("--batch", type=int, default=12)
    args = p.parse_args()
    torch.manual_seed(0)
    train, test = load(96, 1), load(24, 2)
    model = AcousticModel(8, 7)
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    ctc = torch.nn.CTCLoss(zero_infinity=True)
    for epoch in range(args.epochs):
        total = 0.0
        for i in range(0, len(train), args.batch):
            feats, n_frames, targets, n_targets = pad_batch(train[i:i + args.batch])
            logp = model(feats).log_softmax(dim=-1)
            loss = ctc(logp.transpose(0, 1), targets, n_frames, n_targets)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        print(f"epoch {epoch} loss {total / (len(train) // args.batch):.4f}")
    with torch.no_grad():
        feats, n_frames, targets, n_targets = pad_batch(test)
        texts = greedy_decode(model(feats).log_softmax(dim=-1), n_frames)
    print(f"error rate {error_rate(texts, targets, n_targets):.4f}")


if __name__ == "__main__":
    main()
