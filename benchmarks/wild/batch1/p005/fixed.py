import argparse

import torch
import torch.nn.functional as F

from batch import make_batches, PAD
from fixed_models import get_model


def train_model(model, batches, opt):
    optimizer = torch.optim.Adam(model.parameters(), lr=opt.lr, betas=(0.9, 0.98), eps=1e-9)
    model.train()
    for epoch in range(opt.epochs):
        total_loss = 0.0
        for i, (src, trg) in enumerate(batches):
            trg_input = trg[:, :-1]
            preds = model(src, trg_input)
            ys = trg[:, 1:].contiguous().view(-1)
            optimizer.zero_grad()
            loss = F.cross_entropy(preds.view(-1, preds.size(-1)), ys, ignore_index=PAD)
            loss.backward()
            optimizer.step()
            total_loss += loss.item()
        print("epoch %d avg loss %.4f" % (epoch + 1, total_loss / len(batches)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-epochs", type=int, default=2)
    parser.add_argument("-d_model", type=int, default=32)
    parser.add_argument("-n_layers", type=int, default=1)
    parser.add_argument("-heads", type=int, default=4)
    parser.add_argument("-batchsize", type=int, default=6)
    parser.add_argument("-lr", type=float, default=1e-3)
    parser.add_argument("-max_strlen", type=int, default=60)
    parser.add_argument("-src_vocab", type=int, default=70)
    parser.add_argument("-trg_vocab", type=int, default=80)
    opt = parser.parse_args()

    torch.manual_seed(1)
    batches = make_batches(opt, n_pairs=30)
    model = get_model(opt)
    print("training on %d batches" % len(batches))
    train_model(model, batches, opt)


if __name__ == "__main__":
    main()
