from torch import nn


class Restorer(nn.Module):
    def __init__(self, width=12):
        super().__init__()
        self.encode = nn.Sequential(nn.Conv2d(1, width, 4, 2, 1), nn.ReLU(), nn.Conv2d(width, 4, 4, 2, 1))
        self.decode = nn.Sequential(
            nn.ConvTranspose2d(4, width, 4, 2, 1), nn.ReLU(), nn.ConvTranspose2d(width, 1, 4, 2, 1))

    def forward(self, x):
        z = self.encode(x)
        return self.decode(z), z
