import torch
import torch.nn as nn


class AgeFromScan(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv3d(1, 6, kernel_size=3), nn.ReLU(), nn.AdaptiveAvgPool3d(2)
        )
        self.age = nn.Linear(6 * 8, 1)

    def forward(self, scan):
        return self.age(self.conv(scan).flatten(1))


class Fit:
    def __init__(self, model, criterion, lr):
        self.model, self.criterion = model, criterion
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)

    def __call__(self, scans, ages, batch=12):
        total = 0.0
        for s, a in zip(scans.split(batch), ages.split(batch)):
            loss = self.criterion(self.model(s), a)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            total += loss.item()
        return total * batch / len(scans)


torch.manual_seed(16)
ages = torch.rand(48)
scans = ages.view(-1, 1, 1, 1, 1) * torch.ones(1, 1, 7, 7, 7) + 0.05 * torch.randn(48, 1, 7, 7, 7)

fit = Fit(AgeFromScan(), nn.L1Loss(), lr=0.02)
for epoch in range(6):
    mae = fit(scans, ages)
    print(f"epoch {epoch} mae {mae:.4f}")
