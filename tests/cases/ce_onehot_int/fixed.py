import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def make_loader(num_points=128, classes=5):
    torch.manual_seed(42)
    centres = torch.randn(classes, 2) * 4
    which = torch.arange(num_points) % classes
    points = centres[which] + torch.randn(num_points, 2)
    targets = which
    return DataLoader(TensorDataset(points, targets), batch_size=32, shuffle=False)


def run():
    loader = make_loader()
    model = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 5))
    loss_fn = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(1, 5):
        total = 0
        for points, targets in loader:
            optimizer.zero_grad()
            loss = loss_fn(model(points), targets)
            loss.backward()
            optimizer.step()
            total += loss.item() * len(points)
        print(f"Epoch {epoch}: {total / len(loader.dataset):.4f}")


run()
