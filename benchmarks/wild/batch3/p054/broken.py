import argparse
import tempfile

import torch

from gcn import GCN
from graphio import export_graph, load_graph
from train import accuracy, step


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--hidden", type=int, default=16)
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--lr", type=float, default=0.02)
    parser.add_argument("--nodes", type=int, default=60)
    args = parser.parse_args()

    torch.manual_seed(0)
    with tempfile.TemporaryDirectory() as folder:
        export_graph(folder, args.nodes, seed=5)
        graph = load_graph(folder)
    model = GCN(graph.x.shape[1], args.hidden, int(graph.y.max()) + 1)
    opt = torch.optim.Adam(model.parameters(), lr=args.lr, weight_decay=5e-4)
    for epoch in range(args.epochs):
        loss = step(model, graph, opt)
        if epoch % 5 == 4:
            print("epoch %d loss %.4f" % (epoch + 1, loss))
    print("train %.4f test %.4f" % accuracy(model, graph))


if __name__ == "__main__":
    main()
