import torch
from torch.utils.data import Dataset


class MotifGraphs(Dataset):
    """Node labels: the majority colour among a node and its neighbours."""

    n_features, n_classes = 3, 3

    def __init__(self, graphs, nodes):
        g = torch.Generator().manual_seed(1)
        upper = (torch.rand(graphs, nodes, nodes, generator=g) < 0.25).float().triu(1)
        self.adj = upper + upper.transpose(1, 2) + torch.eye(nodes)
        colour = torch.randint(0, 3, (graphs, nodes), generator=g)
        self.x = torch.nn.functional.one_hot(colour, 3).float()
        self.y = (self.adj @ self.x).argmax(dim=-1)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.adj[i], self.y[i]
