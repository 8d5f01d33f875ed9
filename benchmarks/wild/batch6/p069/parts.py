import torch
from torch import nn
import torch.nn.functional as F


class Encoder(nn.Module):
    def __init__(self, embed, down):
        super().__init__()
        self.down = down
        self.conv = nn.Conv2d(3 * down * down, embed, 3, padding=1)

    def forward(self, x):
        return F.gelu(self.conv(F.pixel_unshuffle(x, self.down)))


class DetailHead(nn.Module):
    """Features and a rough picture together, brought to full size."""

    def __init__(self, embed, base_channels, up):
        super().__init__()
        self.up = up
        self.features = nn.Conv2d(embed, base_channels, 3, padding=1)
        self.picture = nn.Conv2d(embed, 3, 3, padding=1)
        self.out = nn.Conv2d((base_channels + 3) // up ** 2, 3, 3, padding=1)

    def forward(self, x):
        x = torch.cat([self.features(x), self.picture(x)], dim=1)
        return self.out(F.pixel_shuffle(x, self.up))
