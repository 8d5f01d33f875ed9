import torch
from torch import nn, optim

torch.manual_seed(19)
DEFECTS = ["scratch", "dent", "stain", "crack", "bubble"]

scans = torch.randn(40, 32)
marks = (scans[:, :5] > 0.8).float()


def positive_weight(marks):
    positives = marks.sum(dim=1)
    negatives = len(marks) - positives
    return negatives / positives.clamp(min=1)


inspector = nn.Sequential(
    nn.Linear(32, 48),
    nn.ReLU(),
    nn.Linear(48, len(DEFECTS)),
)
criterion = nn.BCEWithLogitsLoss(pos_weight=positive_weight(marks))
optimizer = optim.Adam(inspector.parameters(), lr=3e-3)

for epoch in range(5):
    order = torch.randperm(40)
    for pick in order.split(10):
        loss = criterion(inspector(scans[pick]), marks[pick])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: {loss.item():.4f}")
