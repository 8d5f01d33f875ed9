import torch
from torch import nn


class AttentionHead(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(dim, dim), nn.Linear(dim, dim), nn.Linear(dim, dim)
        self.edge_bias = nn.Parameter(torch.zeros(2))

    def forward(self, x, adj, same_graph):
        scores = self.q(x) @ self.k(x).T / x.size(-1) ** 0.5
        scores = scores + self.edge_bias[adj.long()]
        weights = torch.softmax(scores.masked_fill(~same_graph, float("-inf")), dim=-1)
        return weights @ self.v(x)


class Layer(nn.Module):
    def __init__(self, dim, heads=2):
        super().__init__()
        self.heads = nn.ModuleList(AttentionHead(dim) for _ in range(heads))
        self.mix = nn.Linear(heads * dim, dim)
        self.ln1, self.ln2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.ff = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x, adj, same_graph):
        h = self.ln1(x)
        x = x + self.mix(torch.cat([head(h, adj, same_graph) for head in self.heads], dim=-1))
        return x + self.ff(self.ln2(x))


class Graphormer(nn.Module):
    def __init__(self, n_types, dim, layers):
        super().__init__()
        self.types = nn.Embedding(n_types, dim)
        self.degree = nn.Embedding(16, dim)
        self.layers = nn.ModuleList(Layer(dim) for _ in range(layers))
        self.out = nn.Linear(dim, 1)

    def forward(self, batch):
        adj, gid = batch["adj"], batch["graph_id"]
        same_graph = gid[:, None] == gid[None, :]
        x = self.types(batch["types"]) + self.degree(adj.sum(dim=1).clamp(max=15))
        for layer in self.layers:
            x = layer(x, adj, same_graph)
        n = int(gid.max()) + 1
        pooled = torch.zeros(n, x.size(1)).index_add(0, gid, x)
        return self.out(pooled / torch.bincount(gid, minlength=n).unsqueeze(1)).squeeze(1)
