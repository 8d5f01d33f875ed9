"""Forecast six steps of several series at once, each scaled by its own past."""
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

PAST, FUTURE, SERIES = 18, 6, 3


class Sliding(Dataset):
    def __init__(self, values):
        self.values = values  # (time, series)

    def __len__(self):
        return len(self.values) - PAST - FUTURE + 1

    def __getitem__(self, i):
        return self.values[i:i + PAST], self.values[i + PAST:i + PAST + FUTURE]


class NLinear(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.Linear(PAST, FUTURE)
        self.season = nn.Parameter(torch.zeros(FUTURE, 1))
        self.affine = nn.Parameter(torch.ones(SERIES))

    def forward(self, past):
        last = past[:, -1:, :].detach()
        scale = past.std(dim=1, keepdim=True) + 1e-3
        x = (past - last) / scale * self.affine
        out = self.mix(x.transpose(1, 2)).transpose(1, 2) + self.season
        return out * scale + last


def main():
    torch.manual_seed(33)
    t = torch.arange(70.0)
    period = torch.tensor([7.0, 12.0, 9.0])
    values = torch.sin(t[:, None] * 6.2832 / period) * torch.tensor([1.0, 3.0, 0.5]) + 0.02 * t[:, None]
    train = DataLoader(Sliding(values[:56]), batch_size=8, shuffle=True)
    test = DataLoader(Sliding(values[40:]), batch_size=4)
    model = NLinear()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    importance = torch.linspace(1.0, 0.5, FUTURE).view(1, FUTURE, 1)
    for epoch in range(4):
        for past, future in train:
            loss = ((model(past) - future).abs() * importance).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    errors = torch.zeros(FUTURE)
    with torch.no_grad():
        for past, future in test:
            errors += (model(past) - future).abs().mean(dim=2).sum(dim=0)
    print("mae by step", [round(e, 3) for e in (errors / len(test.dataset)).tolist()])


if __name__ == "__main__":
    main()
