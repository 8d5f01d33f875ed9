import torch.nn as nn


class SCNN(nn.Module):
    """stream for synthetic distortions"""

    def __init__(self, channels=12):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 8, 3, 1, 1), nn.ReLU(),
            nn.Conv2d(8, 8, 3, 2, 1), nn.ReLU(),
            nn.Conv2d(8, channels, 3, 2, 1), nn.ReLU(),
            nn.Conv2d(channels, channels, 3, 2, 1), nn.ReLU())

    def forward(self, x):
        return self.features(x)


class AuthenticStream(nn.Module):
    """VGG like stream for authentic distortions"""

    def __init__(self, channels=16):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 8, 3, 1, 1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(8, channels, 3, 1, 1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(channels, channels, 3, 1, 1), nn.ReLU(), nn.MaxPool2d(2))

    def forward(self, x):
        return self.features(x)
