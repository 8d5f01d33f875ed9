import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Meter:
    def __init__(self):
        self.total, self.count = 0.0, 0

    def update(self, value, n):
        self.total += value * n
        self.count += n

    @property
    def average(self):
        return self.total / self.count


def binary_accuracy(logits, y):
    """Share of right answers in the batch."""
    rounded = torch.round(torch.sigmoid(logits)).squeeze(1)
    correct = (rounded == y).float()
    return correct.mean()


def train(model, iterator, optimizer, criterion):
    loss_meter, acc_meter = Meter(), Meter()
    for x, y in iterator:
        optimizer.zero_grad()
        logits = model(x)
        loss = criterion(logits, y.unsqueeze(1))
        acc = binary_accuracy(logits, y)
        loss.backward()
        optimizer.step()
        loss_meter.update(loss.item(), len(y))
        acc_meter.update(acc.item(), len(y))
    return loss_meter.average, acc_meter.average


torch.manual_seed(70)
features = torch.randn(96, 6)
answer = (features.sum(dim=1) > 0).float()
iterator = DataLoader(TensorDataset(features, answer), batch_size=24)
model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
for epoch in range(5):
    loss, acc = train(model, iterator, optimizer, nn.BCEWithLogitsLoss())
    print(f"Epoch: {epoch + 1:02} | Train Loss: {loss:.3f} | Train Acc: {acc * 100:.2f}%")
