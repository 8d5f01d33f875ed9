import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class AccelNet(nn.Module):
    def __init__(self, channels=3, hidden=16, classes=4):
        super().__init__()
        self.rnn = nn.RNN(channels, hidden, batch_first=True)
        self.bn = nn.BatchNorm1d(hidden)
        self.fc = nn.Linear(hidden, classes)

    def forward(self, x):
        x, _ = self.rnn(x)
        x = self.bn(x)
        x = torch.relu(x)
        return self.fc(x.mean(dim=1))


def get_loaders(batch_size):
    g = torch.Generator().manual_seed(33)
    y = torch.randint(0, 4, (48,), generator=g)
    x = torch.randn(48, 9, 3, generator=g) + y[:, None, None].float()
    train = TensorDataset(x[:36], y[:36])
    valid = TensorDataset(x[36:], y[36:])
    return DataLoader(train, batch_size), DataLoader(valid, batch_size)


def run_epoch(model, loader, criterion, optimizer=None):
    model.train(optimizer is not None)
    losses = []
    with torch.set_grad_enabled(optimizer is not None):
        for x, y in loader:
            loss = criterion(model(x), y)
            if optimizer is not None:
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            losses.append(loss.item())
    return sum(losses) / len(losses)


torch.manual_seed(33)
train_loader, valid_loader = get_loaders(12)
model = AccelNet()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(2):
    tr = run_epoch(model, train_loader, criterion, optimizer)
    va = run_epoch(model, valid_loader, criterion)
    print(f"epoch {epoch} train {tr:.4f} valid {va:.4f}")
