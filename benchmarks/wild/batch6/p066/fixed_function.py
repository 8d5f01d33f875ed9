from torch import nn


class L2Normalization(nn.Module):
    def __init__(self, scale=1.0, dim=1):
        super().__init__()
        self.scale, self.dim = scale, dim

    def forward(self, x):
        norm = x.pow(2).sum(self.dim, keepdim=True).clamp(min=1e-12).rsqrt()
        return self.scale * x * norm.expand_as(x)
