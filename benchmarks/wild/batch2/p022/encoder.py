import torch.nn as nn


def conv_encoder(dim):
    return nn.Sequential(
        nn.Conv2d(3, 12, 3, stride=2, padding=1), nn.ReLU(),
        nn.Conv2d(12, 24, 3, stride=2, padding=1), nn.ReLU(),
        nn.AdaptiveAvgPool2d(1), nn.Flatten(),
        nn.Linear(24, dim),
    )
