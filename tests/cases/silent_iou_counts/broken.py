import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class Squares(Dataset):
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(i)
        top, left = torch.randint(0, 8, (2,), generator=g).tolist()
        mask = torch.zeros(1, 14, 14)
        mask[:, top:top + 6, left:left + 6] = 1.0
        image = mask + 0.4 * torch.randn(1, 14, 14, generator=g)
        return image, mask


def iou(logits, mask):
    predicted = logits.squeeze(1) > 0
    truth = mask.bool()
    intersection = (predicted & truth).sum().item()
    union = (predicted | truth).sum().item()
    return intersection / max(union, 1)


torch.manual_seed(34)
net = nn.Sequential(nn.Conv2d(1, 8, 5, padding=2), nn.ReLU(), nn.Conv2d(8, 1, 5, padding=2))
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
train = DataLoader(Squares(40), batch_size=8, shuffle=True)
for epoch in range(4):
    scores = []
    for image, mask in train:
        logits = net(image)
        loss = criterion(logits, mask)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scores.append(iou(logits.detach(), mask))
    print(f"epoch {epoch} loss {loss.item():.4f} IoU {sum(scores) / len(scores):.3f}")
