import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

CLASSES = 4


def balance(labels):
    counts = torch.bincount(labels, minlength=CLASSES).float()
    return counts.sum() / (CLASSES * counts.clamp(min=1))


torch.manual_seed(37)
share = torch.tensor([0.7, 0.2, 0.07, 0.03])
label = torch.multinomial(share, 150, replacement=True)
x = torch.randn(CLASSES, 8)[label] + torch.randn(150, 8)
loader = DataLoader(TensorDataset(x, label), batch_size=10, shuffle=True)
model = nn.Linear(8, CLASSES)
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)

for epoch in range(5):
    for xb, yb in loader:
        weight = balance(yb)
        loss = F.cross_entropy(model(xb), yb, weight=weight)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        guess = model(x).argmax(dim=1)
    recall = [(guess[label == k] == k).float().mean().item() for k in range(CLASSES)]
    print(f"epoch {epoch}", " ".join(f"{r:.2f}" for r in recall))
