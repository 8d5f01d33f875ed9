import torch
from torch import nn

from propagate import degree_norm, scatter_sum


class GCNConv(nn.Module):
    def __init__(self, c_in, c_out):
        super().__init__()
        self.lin = nn.Linear(c_in, c_out, bias=False)
        self.bias = nn.Parameter(torch.zeros(c_out))

    def forward(self, x, edge_index):
        src, dst = edge_index
        norm = degree_norm(edge_index, x.shape[0])
        messages = self.lin(x)[src] * norm.unsqueeze(-1)
        return scatter_sum(messages, dst, x.shape[0]) + self.bias


class GCN(nn.Module):
    def __init__(self, n_features, hidden, n_classes):
        super().__init__()
        self.conv1 = GCNConv(n_features, hidden)
        self.conv2 = GCNConv(hidden, n_classes)

    def forward(self, x, edge_index):
        x = torch.relu(self.conv1(x, edge_index))
        return self.conv2(x, edge_index)
