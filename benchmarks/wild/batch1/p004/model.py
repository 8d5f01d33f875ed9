import torch.nn as nn
import torch.nn.functional as F


class TinyBackbone(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(1, dim, 3, padding=1), nn.GELU(),
            nn.Conv2d(dim, dim, 4, stride=4), nn.GELU(),
        )

    def forward(self, x):
        return self.layers(x)


class SegmentationHead(nn.Module):
    def __init__(self, in_features, num_classes):
        super().__init__()
        self.block = nn.Sequential(nn.Conv2d(in_features, 32, 3, padding=1), nn.ReLU())
        self.classifier = nn.Conv2d(32, num_classes, 1)

    def forward(self, features, image_size):
        logits = self.classifier(self.block(features))
        return F.interpolate(logits, image_size, mode="bilinear", align_corners=False)
