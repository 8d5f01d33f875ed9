import argparse
from dataclasses import dataclass

import torch
from torch.utils.data import DataLoader

from gat import GAT
from motifs import MotifGraphs


@dataclass
class Args:
    hidden: int = 8
    nb_heads: int = 3
    alpha: float = 0.2
    dropout: float = 0.0
    lr: float = 5e-3
    epochs: int = 3
    batch: int = 8
    graphs: int = 48
    nodes: int = 10


def parse():
    parser = argparse.ArgumentParser(description="graph attention")
    for name, value in vars(Args()).items():
        parser.add_argument("--" + name, type=type(value), default=value)
    return Args(**vars(parser.parse_args()))


def main():
    args = parse()
    torch.manual_seed(0)
    data = MotifGraphs(args.graphs, args.nodes)
    loader = DataLoader(data, batch_size=args.batch, shuffle=True)
    model = GAT(data.n_features, args.hidden, data.n_classes, args.dropout, args.alpha, args.nb_heads)
    opt = torch.optim.Adam(model.parameters(), lr=args.lr, weight_decay=5e-4)
    for epoch in range(args.epochs):
        total = 0.0
        for x, adj, y in loader:
            scores = model(x, adj)
            loss = torch.nn.functional.cross_entropy(scores.transpose(1, 2), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(x)
        print(f"epoch {epoch} loss {total / len(data):.4f}")


if __name__ == "__main__":
    main()
