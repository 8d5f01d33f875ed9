import argparse
from dataclasses import dataclass

import torch
from torch.utils.data import DataLoader

from expressions import ExpressionData, collate
from grounding import JointMatch
from vocabulary import Vocabulary
from phrases import PHRASES


@dataclass
class Options:
    min_count: int = 2
    word_dim: int = 16
    hidden: int = 20
    regions: int = 5
    region_dim: int = 12
    batch_size: int = 6
    lr: float = 5e-3
    epochs: int = 3


def parse():
    defaults = Options()
    parser = argparse.ArgumentParser()
    for name, value in vars(defaults).items():
        parser.add_argument("--" + name, type=type(value), default=value)
    return Options(**vars(parser.parse_args()))


def main():
    opt = parse()
    torch.manual_seed(0)
    vocab = Vocabulary(PHRASES, opt.min_count)
    data = ExpressionData(PHRASES, vocab, opt.regions, opt.region_dim)
    loader = DataLoader(data, batch_size=opt.batch_size, shuffle=True, collate_fn=collate)
    model = JointMatch(len(vocab), opt.word_dim, opt.hidden, opt.region_dim)
    optim = torch.optim.Adam(model.parameters(), lr=opt.lr)
    for epoch in range(opt.epochs):
        total = 0.0
        for words, lengths, regions, target in loader:
            loss = torch.nn.functional.cross_entropy(model(words, lengths, regions), target)
            optim.zero_grad()
            loss.backward()
            optim.step()
            total += loss.item() * len(target)
        print(f"epoch {epoch} loss {total / len(data):.4f}")


if __name__ == "__main__":
    main()
