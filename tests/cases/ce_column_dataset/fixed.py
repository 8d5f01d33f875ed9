import torch
from torch.utils.data import DataLoader

from fixed_sensors import VibrationWindows
from trainer import Trainer


class FaultNet(torch.nn.Module):
    def __init__(self, window, n_faults):
        super().__init__()
        self.encoder = torch.nn.Sequential(
            torch.nn.Conv1d(1, 8, kernel_size=5, stride=2),
            torch.nn.ReLU(),
            torch.nn.AdaptiveAvgPool1d(4),
        )
        self.out = torch.nn.Linear(8 * 4, n_faults)

    def forward(self, signal):
        h = self.encoder(signal)
        return self.out(h.flatten(1))


if __name__ == "__main__":
    torch.manual_seed(0)
    windows = VibrationWindows(n=80, length=64, n_faults=4)
    loader = DataLoader(windows, batch_size=16, shuffle=True)
    Trainer(FaultNet(64, 4), lr=1e-2).fit(loader, epochs=3)
