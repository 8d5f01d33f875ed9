import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Counts:
    def __init__(self):
        self.tp = self.fp = self.fn = 0

    def update(self, predicted, label):
        self.tp += ((predicted == 1) & (label == 1)).sum().item()
        self.fp += ((predicted == 1) & (label == 0)).sum().item()
        self.fn += ((predicted == 0) & (label == 1)).sum().item()

    @property
    def f1(self):
        return 2 * self.tp / max(1, 2 * self.tp + self.fp + self.fn)


def patients(n):
    x = torch.randn(n, 5)
    sick = (x[:, :1] + x[:, 1:2] > 1.0).float()
    return TensorDataset(x, sick)


torch.manual_seed(35)
train, test = patients(120), patients(44)
model = nn.Sequential(nn.Linear(5, 12), nn.ELU(), nn.Linear(12, 1))
criterion = nn.BCEWithLogitsLoss(pos_weight=torch.tensor([3.0]))
optimizer = torch.optim.Adam(model.parameters(), lr=0.03)
for epoch in range(4):
    for x, sick in DataLoader(train, batch_size=24, shuffle=True):
        loss = criterion(model(x), sick)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    counts = Counts()
    with torch.no_grad():
        for x, sick in DataLoader(test, batch_size=22):
            predicted = (model(x).flatten() > 0).long()
            counts.update(predicted, sick)
    print(f"epoch {epoch} loss {loss.item():.4f} F1 {counts.f1:.3f}")
