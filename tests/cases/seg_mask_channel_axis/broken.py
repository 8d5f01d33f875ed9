import torch
from torch import nn
import torch.nn.functional as F


def draw_scene(n, size=20):
    """Grey images with a rectangle (class 1) and a disc (class 2)."""
    ys, xs = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    masks = torch.zeros(n, 1, size, size, dtype=torch.long)
    for k in range(n):
        cy, cx = torch.randint(5, size - 5, (2,)).tolist()
        masks[k, 0, cy - 3:cy + 3, cx - 4:cx + 4] = 1
        disc = (ys - cx) ** 2 + (xs - cy) ** 2 < 9
        masks[k, 0][disc] = 2
    images = masks.float() / 2 + 0.1 * torch.randn(n, 1, size, size)
    return images, masks


class SegNet(nn.Module):
    def __init__(self, n_classes):
        super().__init__()
        self.down = nn.Conv2d(1, 16, 3, stride=2, padding=1)
        self.mid = nn.Conv2d(16, 16, 3, padding=1)
        self.head = nn.Conv2d(16, n_classes, 1)

    def forward(self, image):
        h = F.relu(self.mid(F.relu(self.down(image))))
        return F.interpolate(self.head(h), scale_factor=2, mode="bilinear")


torch.manual_seed(10)
images, masks = draw_scene(20)
net = SegNet(n_classes=3)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(net.parameters(), lr=5e-3)

for epoch in range(3):
    for image, mask in zip(images.split(5), masks.split(5)):
        logits = net(image)
        loss = criterion(logits, mask)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    pixel_acc = (logits.argmax(1, keepdim=True) == mask).float().mean()
    print(f"epoch {epoch}: loss {loss.item():.4f} pixel acc {pixel_acc.item():.3f}")
