import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(0)


class PointSets(Dataset):
    """Point clouds of different size; the target is the centre."""

    def __init__(self, n=24):
        g = torch.Generator().manual_seed(5)
        self.clouds = []
        for _ in range(n):
            k = int(torch.randint(10, 20, (1,), generator=g))
            self.clouds.append(torch.randn(k, 3, generator=g))

    def __len__(self):
        return len(self.clouds)

    def __getitem__(self, i):
        cloud = self.clouds[i]
        return cloud, cloud.mean(0)


class PointNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.local = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 16))
        self.head = nn.Linear(16, 3)

    def forward(self, cloud):
        return self.head(self.local(cloud).max(dim=1).values)


def collate(batch):
    clouds, centres = zip(*batch)
    return nn.utils.rnn.pad_sequence(clouds, batch_first=True), torch.stack(centres)


def main():
    net = PointNet()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    loader = DataLoader(PointSets(), batch_size=6, collate_fn=collate)
    for epoch in range(2):
        for cloud, centre in loader:
            loss = nn.functional.smooth_l1_loss(net(cloud), centre)
            opt.zero_grad()
            loss.backward()
            opt.step()
        print(f"epoch {epoch} {loss.item():.5f}")


main()
