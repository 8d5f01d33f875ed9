"""Semantic segmentation with a tiny U-Net: cross entropy per pixel plus a soft dice term."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

N_CLASSES = 3
IGNORED = 255


def double_conv(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.GELU(), nn.Conv2d(o, o, 3, padding=1), nn.GELU())


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = double_conv(1, 8)
        self.middle = double_conv(8, 16)
        self.up = nn.ConvTranspose2d(16, 8, 2, stride=2)
        self.join = double_conv(16, 8)
        self.out = nn.Conv2d(8, N_CLASSES, 1)

    def forward(self, x):
        d = self.down(x)
        m = self.middle(F.max_pool2d(d, 2))
        u = self.join(torch.cat([self.up(m), d], dim=1))
        return self.out(u)


def dice_loss(logits, mask, eps=1.0):
    """One minus the overlap, per class, averaged; unlabelled pixels count nowhere."""
    known = (mask != IGNORED)
    onehot = F.one_hot(mask.where(known, torch.zeros_like(mask)), N_CLASSES).permute(0, 3, 1, 2).float()
    keep = known.unsqueeze(1).float()
    prob = logits.softmax(dim=1) * keep
    onehot = onehot * keep
    overlap = (prob * onehot).sum(dim=(0, 2, 3))
    total = prob.sum(dim=(0, 2, 3)) + onehot.sum(dim=(0, 2, 3))
    return 1 - ((2 * overlap + eps) / (total + eps)).mean()


def discs(n):
    yy, xx = torch.meshgrid(torch.arange(16.0), torch.arange(16.0), indexing="ij")
    centre = torch.randint(4, 12, (n, 2)).float()
    radius = (yy - centre[:, 0, None, None]) ** 2 + (xx - centre[:, 1, None, None]) ** 2
    mask = torch.zeros(n, 16, 16, dtype=torch.long)
    mask[radius < 20] = 1
    mask[radius < 6] = 2
    image = mask.unsqueeze(1).float() + 0.2 * torch.randn(n, 1, 16, 16)
    mask[:, 0, :] = IGNORED
    return TensorDataset(image, mask)


def mean_iou(predicted, mask):
    scores = []
    for k in range(N_CLASSES):
        p, t = (predicted == k) & (mask != IGNORED), mask == k
        union = (p | t).sum().item()
        if union:
            scores.append((p & t).sum().item() / union)
    return sum(scores) / len(scores)


torch.manual_seed(2)
net = UNet()
optimizer = torch.optim.AdamW(net.parameters(), lr=5e-3)
loader = DataLoader(discs(22), batch_size=5, shuffle=True)
for epoch in range(2):
    ious = []
    for image, mask in loader:
        logits = net(image)
        loss = F.cross_entropy(logits, mask, ignore_index=IGNORED) + dice_loss(logits, mask)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        ious.append(mean_iou(logits.argmax(dim=1), mask))
    print(f"{epoch} loss {loss.item():.3f} iou {sum(ious) / len(ious):.3f}")
