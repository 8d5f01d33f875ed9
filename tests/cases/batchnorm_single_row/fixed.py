import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class TabularNet(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.fc1 = nn.Linear(n_in, 20)
        self.bn1 = nn.BatchNorm1d(20)
        self.fc2 = nn.Linear(20, n_out)

    def forward(self, x):
        x = self.fc1(x)
        x = torch.relu(self.bn1(x))
        return self.fc2(x)


def train_one_epoch(model, loader, criterion, optimizer):
    model.train()
    total = 0.0
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total / len(loader)


if __name__ == "__main__":
    torch.manual_seed(0)
    rows = torch.randn(49, 8)
    kind = torch.randint(0, 3, (49,))
    dataset = TensorDataset(rows, kind)
    train_loader = DataLoader(dataset, batch_size=16, shuffle=True, drop_last=True)
    model = TabularNet(8, 3)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(3):
        print("epoch", epoch, round(train_one_epoch(model, train_loader, criterion, optimizer), 4))
