import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class ArcFace(nn.Module):
    def __init__(self, dim, classes, scale=10.0, margin=0.3):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(classes, dim))
        self.scale = scale
        self.cos_m, self.sin_m = math.cos(margin), math.sin(margin)
        self.threshold = math.cos(math.pi - margin)

    def forward(self, features, label):
        cosine = F.linear(F.normalize(features), F.normalize(self.weight)).clamp(-0.999, 0.999)
        sine = (1 - cosine**2).sqrt()
        phi = cosine * self.cos_m - sine * self.sin_m
        phi = torch.where(cosine > self.threshold, phi, cosine)
        chosen = torch.zeros_like(cosine).scatter_(1, label.view(-1, 1), 1.0)
        return self.scale * (chosen * phi + (1 - chosen) * cosine)


torch.manual_seed(26)
people = 6
who = torch.arange(54) % people
faces = torch.randn(people, 16)[who] + 0.5 * torch.randn(54, 16)
backbone = nn.Sequential(nn.Linear(16, 32), nn.PReLU(), nn.Linear(32, 8))
head = ArcFace(8, people)
params = list(backbone.parameters()) + list(head.parameters())
optimizer = torch.optim.SGD(params, lr=0.1, momentum=0.9, weight_decay=5e-4)
loader = DataLoader(TensorDataset(faces, who), batch_size=16, shuffle=True)
for epoch in range(4):
    for x, y in loader:
        loss = F.cross_entropy(head(backbone(x), y), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
with torch.no_grad():
    e = F.normalize(backbone(faces))
    gallery, probe = e[:people], e[people:]
    similarity = probe @ gallery.T
    rank1 = (similarity.argmax(dim=1) == who[people:]).float().mean()
    same = who[people:, None] == who[None, :people]
    accept = similarity > 0.5
    far = (accept & ~same).sum() / (~same).sum()
print(f"rank-1 {rank1:.2f}, false accepts {far:.2f}")
