import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class TwoViews(Dataset):
    def __init__(self, n, dim=24, seed=0):
        g = torch.Generator().manual_seed(seed)
        self.base = torch.randn(n, dim, generator=g)
        self.gen = torch.Generator().manual_seed(seed + 1)

    def __len__(self):
        return len(self.base)

    def augment(self, x):
        noise = 0.3 * torch.randn(x.shape, generator=self.gen)
        keep = (torch.rand(x.shape, generator=self.gen) > 0.15).float()
        return (x + noise) * keep

    def __getitem__(self, i):
        return torch.stack([self.augment(self.base[i]), self.augment(self.base[i])])


class SimCLR(nn.Module):
    def __init__(self, dim=24, width=64, proj=16, temperature=0.2):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(dim, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.neck = nn.Linear(width, proj)
        self.temperature = temperature

    @staticmethod
    def positive_index(n):
        idx = torch.arange(2 * n)
        return idx.roll(n)

    def embed(self, x):
        return F.normalize(self.neck(self.backbone(x)), dim=1)

    def forward(self, pair):
        n = pair.shape[0]
        z = self.embed(torch.cat([pair[:, 0], pair[:, 1]]))
        sim = z @ z.t() / self.temperature
        sim.fill_diagonal_(float("-inf"))
        return F.cross_entropy(sim, self.positive_index(n))


@torch.no_grad()
def retrieval(model, data):
    pair = torch.stack([data[i] for i in range(len(data))])
    a, b = model.embed(pair[:, 0]), model.embed(pair[:, 1])
    return ((a @ b.t()).argmax(1) == torch.arange(len(a))).float().mean().item()


def main():
    torch.manual_seed(0)
    data = TwoViews(128)
    loader = DataLoader(data, batch_size=32, shuffle=True, drop_last=True)
    model = SimCLR()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(6):
        total = 0.0
        for pair in loader:
            loss = model(pair)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        print("epoch", epoch, "loss", round(total / len(loader), 4))
    print("retrieval", round(retrieval(model, data), 4))


main()
