from torch import nn


class UpConv(nn.Module):
    def __init__(self, in_channels, out_channels, kernel, padding, flag=True):
        super().__init__()
        self.flag = flag
        self.conv = nn.Conv2d(in_channels, out_channels, kernel, padding=padding)
        self.gn = nn.GroupNorm(8, out_channels)
        self.act = nn.GELU()
        self.up = nn.UpsamplingBilinear2d(scale_factor=2)

    def forward(self, x):
        x = self.conv(x)
        return self.up(self.act(self.gn(x))) if self.flag else x
