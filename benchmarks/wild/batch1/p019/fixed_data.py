from dataclasses import dataclass

import numpy as np
import torch


@dataclass
class Graph:
    x: torch.Tensor
    edge_index: torch.Tensor
    edge_attr: torch.Tensor

    @property
    def num_nodes(self):
        return self.x.size(0)


def make_graph(num_nodes, num_features, seed=4):
    rng = np.random.RandomState(seed)
    group = rng.randint(0, 3, size=num_nodes)
    rows = []
    for i in range(num_nodes):
        for j in range(num_nodes):
            if i != j and rng.rand() < (0.6 if group[i] == group[j] else 0.05):
                rows.append((i, j, rng.rand()))
    table = np.array(rows)
    edge_index = torch.from_numpy(table[:, :2].T.copy()).long()
    # correlation of the two samples
    edge_attr = torch.from_numpy(table[:, 2]).float()
    x = rng.randn(num_nodes, num_features) + group[:, None]
    return Graph(torch.from_numpy(x).float(), edge_index, edge_attr)
