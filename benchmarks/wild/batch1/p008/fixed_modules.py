import torch
import torch.nn as nn


class DoubleConv(nn.Module):
    def __init__(self, c_in, c_out):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(c_in, c_out, 3, padding=1, bias=False), nn.GroupNorm(1, c_out), nn.GELU(),
            nn.Conv2d(c_out, c_out, 3, padding=1, bias=False), nn.GroupNorm(1, c_out))

    def forward(self, x):
        return self.net(x)


class Down(nn.Module):
    def __init__(self, c_in, c_out, emb_dim=128):
        super().__init__()
        self.pool_conv = nn.Sequential(nn.MaxPool2d(2), DoubleConv(c_in, c_out))
        self.emb_layer = nn.Sequential(nn.SiLU(), nn.Linear(emb_dim, c_out))

    def forward(self, x, t):
        return self.pool_conv(x) + self.emb_layer(t)[:, :, None, None]


class Up(nn.Module):
    def __init__(self, c_in, c_out, emb_dim=128):
        super().__init__()
        self.up = nn.Upsample(scale_factor=2, mode="nearest")
        self.conv = DoubleConv(c_in, c_out)
        self.emb_layer = nn.Sequential(nn.SiLU(), nn.Linear(emb_dim, c_out))

    def forward(self, x, skip, t):
        x = self.conv(torch.cat([skip, self.up(x)], dim=1))
        return x + self.emb_layer(t)[:, :, None, None]


class UNet(nn.Module):
    def __init__(self, c_in=3, c_out=3, time_dim=128, width=16):
        super().__init__()
        self.time_dim = time_dim
        self.inc = DoubleConv(c_in, width)
        self.down1 = Down(width, 2 * width, emb_dim=time_dim)
        self.down2 = Down(2 * width, 2 * width, emb_dim=time_dim)
        self.up1 = Up(4 * width, width, emb_dim=time_dim)
        self.up2 = Up(2 * width, width, emb_dim=time_dim)
        self.outc = nn.Conv2d(width, c_out, 1)

    def pos_encoding(self, t, channels):
        inv_freq = 1.0 / (10000 ** (torch.arange(0, channels, 2).float() / channels))
        angles = t.repeat(1, channels // 2) * inv_freq
        return torch.cat([torch.sin(angles), torch.cos(angles)], dim=-1)

    def forward(self, x, t):
        t = self.pos_encoding(t.unsqueeze(-1).float(), self.time_dim)
        x1 = self.inc(x)
        x2 = self.down1(x1, t)
        x3 = self.down2(x2, t)
        x = self.up1(x3, x2, t)
        x = self.up2(x, x1, t)
        return self.outc(x)
