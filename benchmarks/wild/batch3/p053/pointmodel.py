import torch
from torch import nn

from transformer import Block


class Grouping(nn.Module):
    def __init__(self, num_group, group_size):
        super().__init__()
        self.num_group, self.group_size = num_group, group_size

    def forward(self, xyz):
        centres = xyz[:, :self.num_group]
        idx = torch.cdist(centres, xyz).topk(self.group_size, largest=False).indices
        rows = torch.arange(len(xyz))[:, None, None]
        return xyz[rows, idx] - centres.unsqueeze(2), centres


class PointTransformer(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        dim = cfg["trans_dim"]
        self.group = Grouping(cfg["num_group"], cfg["group_size"])
        self.encoder = nn.Sequential(nn.Linear(3, cfg["encoder_dims"]), nn.ReLU(),
                                     nn.Linear(cfg["encoder_dims"], cfg["encoder_dims"]))
        self.pos = nn.Linear(3, dim)
        self.cls = nn.Parameter(torch.zeros(1, 1, dim))
        self.blocks = nn.Sequential(*[Block(dim, cfg["num_heads"]) for _ in range(cfg["depth"])])
        self.head = nn.Linear(dim, cfg["cls_dim"])

    def forward(self, pts):
        patches, centres = self.group(pts)
        tokens = self.encoder(patches).amax(2) + self.pos(centres)
        x = torch.cat([self.cls.expand(len(pts), -1, -1), tokens], 1)
        return self.head(self.blocks(x)[:, 0])
