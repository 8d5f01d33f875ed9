import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class WineClassifier(nn.Module):
    def __init__(self, n_features=13, n_classes=3):
        super().__init__()
        self.fc1 = nn.Linear(n_features, 32)
        self.relu = nn.ReLU()
        self.fc2 = nn.Linear(32, n_classes)
        self.softmax = nn.Softmax(dim=1)

    def forward(self, x):
        out = self.relu(self.fc1(x))
        out = self.fc2(out)
        return self.softmax(out)


def wines(n=150):
    g = torch.Generator().manual_seed(5)
    cultivar = torch.arange(n) % 3
    centre = torch.randn(3, 13, generator=g)
    return centre[cultivar] + torch.randn(n, 13, generator=g), cultivar


torch.manual_seed(5)
loader = DataLoader(TensorDataset(*wines()), batch_size=30, shuffle=True)
model = WineClassifier()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(10):
    total, right = 0.0, 0
    for x, y in loader:
        out = model(x)
        loss = criterion(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
        right += (out.argmax(dim=1) == y).sum().item()
    if epoch % 3 == 0:
        print(f"epoch {epoch} loss {total / len(loader):.4f} accuracy {right / 150:.3f}")
