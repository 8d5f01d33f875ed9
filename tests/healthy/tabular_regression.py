"""House prices: standardised features, embeddings for categories, early stopping, R2 and RMSE."""
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, random_split


class Houses(Dataset):
    def __init__(self, n=80):
        g = torch.Generator().manual_seed(11)
        self.size = torch.rand(n, 1, generator=g) * 150 + 40
        self.rooms = torch.randint(1, 7, (n, 1), generator=g).float()
        self.area = torch.randint(0, 5, (n,), generator=g)
        rate = torch.tensor([2.0, 3.0, 1.5, 4.0, 2.5])
        self.price = self.size.squeeze(1) * rate[self.area] + 10 * self.rooms.squeeze(1)
        numbers = torch.cat([self.size, self.rooms], dim=1)
        self.numbers = (numbers - numbers.mean(dim=0)) / numbers.std(dim=0)
        self.mean, self.std = self.price.mean(), self.price.std()

    def __len__(self):
        return len(self.price)

    def __getitem__(self, i):
        return self.numbers[i], self.area[i], (self.price[i] - self.mean) / self.std


class PriceModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.area = nn.Embedding(5, 4)
        self.net = nn.Sequential(nn.Linear(6, 32), nn.SiLU(), nn.Linear(32, 1))

    def forward(self, numbers, area):
        return self.net(torch.cat([numbers, self.area(area)], dim=-1))[:, 0]


def metrics(model, loader):
    model.eval()
    predicted, actual = [], []
    with torch.no_grad():
        for numbers, area, price in loader:
            predicted.append(model(numbers, area))
            actual.append(price)
    p, y = torch.cat(predicted), torch.cat(actual)
    rmse = (p - y).pow(2).mean().sqrt()
    r2 = 1 - (y - p).pow(2).sum() / (y - y.mean()).pow(2).sum()
    return rmse.item(), r2.item()


def main():
    torch.manual_seed(11)
    train, valid = random_split(Houses(), [62, 18])
    model = PriceModel()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01, weight_decay=1e-4)
    criterion = nn.HuberLoss()
    best, waited = float("inf"), 0
    for epoch in range(5):
        model.train()
        for numbers, area, price in DataLoader(train, batch_size=16, shuffle=True):
            loss = criterion(model(numbers, area), price)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        rmse, r2 = metrics(model, DataLoader(valid, batch_size=7))
        waited = 0 if rmse < best else waited + 1
        best = min(best, rmse)
        print(f"{epoch} rmse {rmse:.3f} r2 {r2:.3f}")
        if waited > 2:
            break


if __name__ == "__main__":
    main()
