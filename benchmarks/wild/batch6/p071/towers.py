import torch
from torch import nn
import torch.nn.functional as F


class ImageTower(nn.Module):
    def __init__(self, channels, embed_dim):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(3, channels, 3, stride=2, padding=1), nn.GELU(),
            nn.Conv2d(channels, 2 * channels, 3, stride=2, padding=1), nn.GELU(), nn.Flatten())
        self.proj = nn.Linear(2 * channels * 9, embed_dim)

    def forward(self, x):
        return self.proj(self.net(x))


def contrastive(image, text, scale=10.0):
    logits = scale * F.normalize(image, dim=-1) @ F.normalize(text, dim=-1).T
    target = torch.arange(len(logits))
    return (F.cross_entropy(logits, target) + F.cross_entropy(logits.T, target)) / 2
