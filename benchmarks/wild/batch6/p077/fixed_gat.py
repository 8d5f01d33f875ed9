import torch
from torch import nn
import torch.nn.functional as F

from fixed_layers import GraphAttentionLayer


class GAT(nn.Module):
    def __init__(self, features, hidden, classes, dropout, alpha, heads):
        super().__init__()
        self.dropout = dropout
        self.attentions = nn.ModuleList(
            GraphAttentionLayer(features, hidden, dropout, alpha) for _ in range(heads))
        self.out_att = GraphAttentionLayer(hidden * heads, classes, dropout, alpha, concat=False)

    def forward(self, x, adj):
        x = F.dropout(x, self.dropout, self.training)
        x = torch.cat([att(x, adj) for att in self.attentions], dim=-1)
        return self.out_att(F.dropout(x, self.dropout, self.training), adj)
