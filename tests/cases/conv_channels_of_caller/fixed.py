import torch
import torch.nn as nn
import torch.nn.functional as F


def double_conv(cin, cout):
    return nn.Sequential(
        nn.Conv2d(cin, cout, 3, padding=1), nn.ReLU(inplace=True),
        nn.Conv2d(cout, cout, 3, padding=1), nn.ReLU(inplace=True),
    )


class UNet(nn.Module):
    def __init__(self, n_channels=1, n_classes=1, base=4):
        super().__init__()
        self.inc = double_conv(n_channels, base)
        self.down1 = double_conv(base, base * 2)
        self.down2 = double_conv(base * 2, base * 4)
        self.up1 = nn.ConvTranspose2d(base * 4, base * 2, 2, stride=2)
        self.conv1 = double_conv(base * 4, base * 2)
        self.up2 = nn.ConvTranspose2d(base * 2, base, 2, stride=2)
        self.conv2 = double_conv(base * 2, base)
        self.outc = nn.Conv2d(base, n_classes, 1)

    def forward(self, x):
        x1 = self.inc(x)
        x2 = self.down1(F.max_pool2d(x1, 2))
        x3 = self.down2(F.max_pool2d(x2, 2))
        y = self.conv1(torch.cat([x2, self.up1(x3)], dim=1))
        y = self.conv2(torch.cat([x1, self.up2(y)], dim=1))
        return self.outc(y)


def dice(logits, mask, eps=1.0):
    p = torch.sigmoid(logits).flatten(1)
    m = mask.flatten(1)
    return (2 * (p * m).sum(1) + eps) / (p.sum(1) + m.sum(1) + eps)


torch.manual_seed(0)
net = UNet()
opt = torch.optim.RMSprop(net.parameters(), lr=1e-4)
images = torch.rand(12, 1, 32, 32)
masks = (images > 0.6).float()
for epoch in range(2):
    for i in range(0, 12, 4):
        logits = net(images[i:i + 4])
        loss = F.binary_cross_entropy_with_logits(logits, masks[i:i + 4])
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(epoch, "loss %.4f" % loss.item(), "dice %.4f" % dice(logits, masks[8:]).mean().item())
