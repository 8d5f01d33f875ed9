import torch
import torch.nn as nn
import torch.nn.functional as F


def double_conv(a, b):
    return nn.Sequential(
        nn.Conv2d(a, b, 3, padding=1), nn.ReLU(),
        nn.Conv2d(b, b, 3, padding=1), nn.ReLU(),
    )


class UNet(nn.Module):
    def __init__(self, base=6):
        super().__init__()
        self.d1 = double_conv(1, base)
        self.d2 = double_conv(base, 2 * base)
        self.bottom = double_conv(2 * base, 4 * base)
        self.u2 = double_conv(6 * base, 2 * base)
        self.u1 = double_conv(3 * base, base)
        self.out = nn.Conv2d(base, 1, 1)
        self.pool = nn.MaxPool2d(2)

    def up(self, x, skip):
        x = F.interpolate(x, scale_factor=2)
        return torch.cat([x, skip], dim=1)

    def forward(self, x):
        s1 = self.d1(x)
        s2 = self.d2(self.pool(s1))
        x = self.bottom(self.pool(s2))
        x = self.u2(self.up(x, s2))
        x = self.u1(self.up(x, s1))
        return self.out(x)


def ultrasound(n, h=30, w=32):
    img = torch.rand(n, 1, h, w)
    return img, (F.avg_pool2d(img, 5, 1, 2) > 0.5).float()


torch.manual_seed(0)
unet = UNet()
opt = torch.optim.Adam(unet.parameters(), lr=2e-3)
criterion = nn.BCEWithLogitsLoss()
for it in range(4):
    img, mask = ultrasound(3)
    loss = criterion(unet(img), mask)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"iteration {it}: {loss.item():.4f}")
