import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(5)
dates = torch.linspace(0, 8, 121)
temperature = torch.sin(dates) + 0.1 * torch.randn(121)
history = temperature.unfold(0, 6, 1)[:-1]
following = temperature[6:]

train_set = TensorDataset(history[:90], following[:90])
test_set = TensorDataset(history[90:], following[90:])
train_loader = DataLoader(train_set, batch_size=15)
test_loader = DataLoader(test_set, batch_size=8)

model = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Linear(24, 1))
criterion = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)


def fit_one_epoch():
    for x, y in train_loader:
        loss = criterion(model(x), y.unsqueeze(1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


@torch.no_grad()
def forecast(loader):
    predictions = []
    for x, _ in loader:
        out = model(x).squeeze()
        predictions.extend(out.tolist())
    return torch.tensor(predictions)


for epoch in range(3):
    print(f"epoch {epoch} train mse {fit_one_epoch():.4f}")
rmse = (forecast(test_loader) - following[90:]).pow(2).mean().sqrt()
print(f"test rmse {rmse.item():.4f}")
