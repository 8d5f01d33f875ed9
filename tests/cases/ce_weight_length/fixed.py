import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

STAGES = ["wake", "n1", "n2", "n3", "rem"]


def night(n_epochs=64, seed=0):
    g = torch.Generator().manual_seed(seed)
    eeg = torch.randn(n_epochs, 2, 50, generator=g)
    stage = torch.multinomial(torch.tensor([5.0, 2.0, 9.0, 4.0, 0.0]), n_epochs, True, generator=g)
    return eeg, stage


class SleepNet(nn.Module):
    def __init__(self, n_stages):
        super().__init__()
        self.conv = nn.Conv1d(2, 12, kernel_size=7, stride=3)
        self.drop = nn.Identity()
        self.out = nn.Linear(12, n_stages)

    def forward(self, x):
        x = torch.relu(self.conv(x)).mean(dim=2)
        return self.out(self.drop(x))


def class_weights(stage):
    counts = torch.bincount(stage, minlength=len(STAGES)).float()
    return counts.sum() / counts.clamp(min=1)


def main():
    torch.manual_seed(0)
    eeg, stage = night()
    net = SleepNet(len(STAGES))
    criterion = nn.CrossEntropyLoss(weight=class_weights(stage))
    optimizer = torch.optim.Adam(net.parameters(), lr=0.005)
    for epoch in range(3):
        for x, y in DataLoader(TensorDataset(eeg, stage), batch_size=16):
            loss = criterion(net(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: {loss.item():.4f}")


if __name__ == "__main__":
    main()
