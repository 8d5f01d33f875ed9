import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

# Anchors against boxes: all pairs of a picture, three losses, pictures of uneven box counts.


class Scenes(Dataset):
    def __len__(self):
        return 22

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(i)
        k = int(torch.randint(1, 4, (1,), generator=g))
        corner = torch.rand(k, 2, generator=g) * 10
        size = torch.rand(k, 2, generator=g) * 4 + 2
        boxes = torch.cat([corner, (corner + size).clamp(max=16)], dim=1)
        image = 0.1 * torch.randn(1, 16, 16, generator=g)
        for x1, y1, x2, y2 in boxes.int().tolist():
            image[:, y1:y2, x1:x2] += 1
        return image, {"boxes": boxes, "labels": torch.randint(0, 2, (k,), generator=g)}


def collate(rows):
    return torch.stack([image for image, _ in rows]), [target for _, target in rows]


def box_iou(a, b):
    area_a = (a[:, 2] - a[:, 0]) * (a[:, 3] - a[:, 1])
    area_b = (b[:, 2] - b[:, 0]) * (b[:, 3] - b[:, 1])
    top_left = torch.max(a[:, None, :2], b[None, :, :2])
    bottom_right = torch.min(a[:, None, 2:], b[None, :, 2:])
    inter = (bottom_right - top_left).clamp(min=0).prod(dim=-1)
    return inter / (area_a[:, None] + area_b[None, :] - inter)


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(1, 8, 3, 2, 1), nn.ReLU(), nn.Conv2d(8, 8, 3, 2, 1), nn.ReLU())
        self.obj, self.cls, self.reg = nn.Conv2d(8, 1, 1), nn.Conv2d(8, 2, 1), nn.Conv2d(8, 4, 1)
        y, x = torch.meshgrid(torch.arange(4) * 4.0 + 2, torch.arange(4) * 4.0 + 2, indexing="ij")
        centre = torch.stack([x, y], dim=-1).view(-1, 2)
        self.register_buffer("anchors", torch.cat([centre - 2.5, centre + 2.5], dim=1))

    def forward(self, images):
        f = self.body(images)
        flat = [head(f).flatten(2).transpose(1, 2) for head in (self.obj, self.cls, self.reg)]
        return flat[0].squeeze(-1), flat[1], flat[2]


def losses(model, outputs, targets):
    obj, cls, reg = outputs
    total = {"objectness": obj.sum() * 0, "classes": obj.sum() * 0, "boxes": obj.sum() * 0}
    for i, target in enumerate(targets):
        overlap, match = box_iou(model.anchors, target["boxes"]).max(dim=1)
        positive = overlap > 0.2
        total["objectness"] = total["objectness"] + F.binary_cross_entropy_with_logits(obj[i], positive.float())
        if positive.any():
            chosen = match[positive]
            total["classes"] = total["classes"] + F.cross_entropy(cls[i][positive], target["labels"][chosen])
            offset = (target["boxes"][chosen] - model.anchors[positive]) / 5
            total["boxes"] = total["boxes"] + F.smooth_l1_loss(reg[i][positive], offset)
    return {name: value / len(targets) for name, value in total.items()}


torch.manual_seed(28)
model = Detector()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
for epoch in range(2):
    for images, targets in DataLoader(Scenes(), batch_size=5, shuffle=True, collate_fn=collate):
        parts = losses(model, model(images), targets)
        loss = sum(parts.values())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, {name: round(value.item(), 3) for name, value in parts.items()})
