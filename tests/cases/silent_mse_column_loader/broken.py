import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset, random_split


class Flights(Dataset):
    def __init__(self, n=120):
        gen = torch.Generator().manual_seed(0)
        self.x = torch.randn(n, 5, generator=gen)
        self.delay = (self.x @ torch.tensor([1.0, -2.0, 0.5, 0.0, 3.0])).tolist()

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], torch.tensor(self.delay[i])


class DelayNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(5, 32)
        self.out = nn.Linear(32, 1)

    def forward(self, x):
        return self.out(F.relu(self.hidden(x)))


def evaluate(net, loader):
    net.eval()
    se, n = 0.0, 0
    with torch.no_grad():
        for x, delay in loader:
            se += ((net(x).flatten() - delay) ** 2).sum().item()
            n += len(delay)
    return se / n


def main():
    torch.manual_seed(0)
    train, test = random_split(Flights(), [80, 40])
    train_loader, test_loader = DataLoader(train, batch_size=20), DataLoader(test, batch_size=20)
    net = DelayNet()
    opt = torch.optim.Adam(net.parameters(), lr=0.02)
    for epoch in range(12):
        net.train()
        for x, delay in train_loader:
            loss = F.mse_loss(net(x), delay)
            opt.zero_grad()
            loss.backward()
            opt.step()
        if epoch % 4 == 3:
            print(f"epoch {epoch} loss {loss.item():.3f} test mse {evaluate(net, test_loader):.3f}")


main()
