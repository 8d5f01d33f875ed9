import torch
from torch import nn
import torch.nn.functional as F


class GraphAttentionLayer(nn.Module):
    def __init__(self, in_features, out_features, dropout, alpha, concat=True):
        super().__init__()
        self.dropout, self.concat = dropout, concat
        self.W = nn.Parameter(torch.empty(in_features, out_features))
        self.a1 = nn.Parameter(torch.empty(out_features, 1))
        self.a2 = nn.Parameter(torch.empty(out_features, 1))
        for p in (self.W, self.a1, self.a2):
            nn.init.xavier_uniform_(p, gain=1.414)
        self.leakyrelu = nn.LeakyReLU(alpha)

    def forward(self, x, adj):
        h = torch.mm(x, self.W)
        e = self.leakyrelu(torch.mm(h, self.a1) + torch.mm(h, self.a2).t())
        weights = e.masked_fill(adj == 0, -9e15).softmax(dim=-1)
        weights = F.dropout(weights, self.dropout, self.training)
        out = torch.mm(weights, h)
        return F.elu(out) if self.concat else out
