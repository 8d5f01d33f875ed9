import torch.nn as nn


class MaskDecoder(nn.Module):
    def __init__(self, dim, patch_size, num_classes):
        super().__init__()
        self.net = nn.Sequential(
            nn.ConvTranspose2d(dim, dim // 2, 2, stride=2), nn.GELU(),
            nn.Conv2d(dim // 2, num_classes, 1),
            nn.Upsample(scale_factor=patch_size // 2, mode="bilinear", align_corners=False))

    def forward(self, x):
        return self.net(x)
