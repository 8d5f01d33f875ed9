import torch
import torch.nn as nn

from layer import GraphConstructor, MixProp


class GTNet(nn.Module):
    def __init__(self, num_nodes, seq_length, channels, gcn_depth, subgraph_size, node_dim, propalpha):
        super().__init__()
        self.register_buffer("idx", torch.arange(num_nodes))
        self.gc = GraphConstructor(num_nodes, subgraph_size, node_dim)
        self.start_conv = nn.Conv2d(1, channels, 1)
        self.filter_conv = nn.Conv2d(channels, channels, (1, 5))
        self.gate_conv = nn.Conv2d(channels, channels, (1, 5))
        self.gconv1 = MixProp(channels, channels, gcn_depth, propalpha)
        self.gconv2 = MixProp(channels, channels, gcn_depth, propalpha)
        self.end_conv = nn.Conv2d(channels, 1, (1, seq_length - 4))

    def forward(self, x):
        adp = self.gc(self.idx)
        x = self.start_conv(x)
        x = torch.tanh(self.filter_conv(x)) * torch.sigmoid(self.gate_conv(x))
        x = self.gconv1(x, adp) + self.gconv2(x, adp.t())
        return self.end_conv(torch.relu(x)).squeeze(3).squeeze(1)
