import argparse

import torch

from gtnet import GTNet
from trainer import Optim, evaluate, train_epoch
from util import DataLoaderS

parser = argparse.ArgumentParser(description="PyTorch Time series forecasting")
parser.add_argument("--num_nodes", type=int, default=21, help="number of nodes/variables")
parser.add_argument("--subgraph_size", type=int, default=5, help="k")
parser.add_argument("--node_dim", type=int, default=8, help="dim of nodes")
parser.add_argument("--conv_channels", type=int, default=8)
parser.add_argument("--gcn_depth", type=int, default=2)
parser.add_argument("--propalpha", type=float, default=0.05)
parser.add_argument("--seq_in_len", type=int, default=24)
parser.add_argument("--horizon", type=int, default=3)
parser.add_argument("--batch_size", type=int, default=16)
parser.add_argument("--lr", type=float, default=0.002)
parser.add_argument("--clip", type=float, default=5)
parser.add_argument("--epochs", type=int, default=2)
args = parser.parse_args()


def main():
    torch.manual_seed(3)
    data = DataLoaderS("solar_small", 0.7, args.horizon, args.seq_in_len)
    model = GTNet(args.num_nodes, args.seq_in_len, args.conv_channels, args.gcn_depth,
                  args.subgraph_size, args.node_dim, args.propalpha)
    optim = Optim(model.parameters(), args.lr, args.clip)
    for epoch in range(1, args.epochs + 1):
        train_loss = train_epoch(data, model, optim, args.batch_size)
        rse = evaluate(data, model, args.batch_size)
        print("| end of epoch {} | train_loss {:.4f} | valid rse {:.4f}".format(epoch, train_loss, rse))


if __name__ == "__main__":
    main()
