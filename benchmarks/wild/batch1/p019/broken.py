import argparse

import torch
import torch.nn.functional as F

from data import make_graph
from models import GAE
from utils import negative_sampling, train_test_split_edges


def recon_loss(model, z, pos, neg):
    pos_score = model.decode(z, pos)
    neg_score = model.decode(z, neg)
    return F.softplus(-pos_score).mean() + F.softplus(neg_score).mean()


def auc(model, z, pos, neg):
    p, n = model.decode(z, pos), model.decode(z, neg)
    return (p[:, None] > n[None]).float().mean().item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--channels", type=int, default=8)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--lr", type=float, default=0.02)
    args = parser.parse_args()
    torch.manual_seed(12345)

    graph = make_graph(num_nodes=33, num_features=17)
    train_index, train_attr, test_index = train_test_split_edges(graph.edge_index, graph.edge_attr, test_ratio=0.2)
    model = GAE(graph.x.size(1), args.channels)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)

    for epoch in range(1, args.epochs + 1):
        model.train()
        optimizer.zero_grad()
        z = model.encode(graph.x, train_index, train_attr)
        neg = negative_sampling(train_index, graph.num_nodes)
        loss = recon_loss(model, z, train_index, neg)
        loss.backward()
        optimizer.step()
        if epoch % 5 == 0:
            print("Epoch: {:03d}, loss: {:.4f}".format(epoch, loss.item()))

    model.eval()
    with torch.no_grad():
        z = model.encode(graph.x, train_index, train_attr)
        print("AUC: {:.4f}".format(auc(model, z, test_index, negative_sampling(test_index, graph.num_nodes))))


if __name__ == "__main__":
    main()
