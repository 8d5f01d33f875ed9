import torch
import torch.nn as nn


def add_self_loops(edge_index, edge_weight, num_nodes):
    loop = torch.arange(num_nodes)
    loop_weight = torch.ones(num_nodes)
    edge_index = torch.cat([edge_index, torch.stack([loop, loop])], dim=1)
    edge_weight = torch.cat([edge_weight, loop_weight], dim=0)
    return edge_index, edge_weight


class GCNConv(nn.Module):
    def __init__(self, in_channels, out_channels):
        super().__init__()
        self.lin = nn.Linear(in_channels, out_channels, bias=False)
        self.bias = nn.Parameter(torch.zeros(out_channels))

    def norm(self, edge_index, edge_weight, num_nodes):
        edge_index, edge_weight = add_self_loops(edge_index, edge_weight, num_nodes)
        row, col = edge_index
        deg = torch.zeros(num_nodes).scatter_add_(0, row, edge_weight)
        inv = deg.pow(-0.5)
        return edge_index, inv[row] * edge_weight * inv[col]

    def forward(self, x, edge_index, edge_weight):
        edge_index, norm = self.norm(edge_index, edge_weight, x.size(0))
        row, col = edge_index
        x = self.lin(x)
        out = torch.zeros_like(x).index_add_(0, row, norm.unsqueeze(1) * x[col])
        return out + self.bias


class GAE(nn.Module):
    def __init__(self, in_channels, out_channels):
        super().__init__()
        self.conv1 = GCNConv(in_channels, 2 * out_channels)
        self.conv2 = GCNConv(2 * out_channels, out_channels)

    def encode(self, x, edge_index, edge_weight):
        x = torch.relu(self.conv1(x, edge_index, edge_weight))
        return self.conv2(x, edge_index, edge_weight)

    def decode(self, z, edge_index):
        return (z[edge_index[0]] * z[edge_index[1]]).sum(-1)
