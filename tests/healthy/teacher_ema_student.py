import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

# Mean teacher: few labels (-1 marks none), the teacher is an average and never gets gradients.


def build():
    return nn.Sequential(nn.Linear(8, 24), nn.ReLU(), nn.Dropout(0.2), nn.Linear(24, 3))


@torch.no_grad()
def update(teacher, student, decay=0.95):
    for slow, fast in zip(teacher.parameters(), student.parameters()):
        slow.lerp_(fast, 1 - decay)


torch.manual_seed(40)
kind = torch.arange(61) % 3
x = torch.randn(3, 8)[kind] * 1.5 + torch.randn(61, 8)
label = kind.clone()
label[torch.rand(61) < 0.6] = -1
student = build()
teacher = copy.deepcopy(student)
teacher.requires_grad_(False)
optimizer = torch.optim.Adam(student.parameters(), lr=0.01)
loader = DataLoader(TensorDataset(x, label), batch_size=12, shuffle=True)
for epoch in range(3):
    for xb, yb in loader:
        logits = student(xb + 0.1 * torch.randn_like(xb))
        with torch.no_grad():
            wanted = teacher(xb + 0.1 * torch.randn_like(xb)).softmax(dim=-1)
        known = yb >= 0
        supervised = logits.sum() * 0.0
        if known.any():
            supervised = F.cross_entropy(logits[known], yb[known])
        sure = (wanted.max(dim=-1, keepdim=True).values > 0.4).float()
        consistency = (sure * (logits.softmax(dim=-1) - wanted) ** 2).mean()
        loss = supervised + 2.0 * consistency
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        update(teacher, student)
teacher.eval()
print(f"teacher {(teacher(x).argmax(-1) == kind).float().mean():.2f}")
