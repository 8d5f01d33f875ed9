import torch.nn as nn


def block(c_in, c_out):
    return nn.Sequential(
        nn.Conv2d(c_in, c_out, 3, stride=2, padding=1),
        nn.GroupNorm(4, c_out),
        nn.ReLU(inplace=True),
    )


class Encoder(nn.Module):
    def __init__(self, out_dim, width=16):
        super().__init__()
        self.backbone = nn.Sequential(
            block(3, width), block(width, 2 * width), nn.AdaptiveAvgPool2d(1), nn.Flatten())
        # projection head
        self.fc = nn.Sequential(nn.Linear(2 * width, 2 * width), nn.ReLU(), nn.Linear(2 * width, out_dim))

    def forward(self, x):
        return self.fc(self.backbone(x))
