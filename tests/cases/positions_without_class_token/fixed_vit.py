import torch
import torch.nn as nn


class ViT(nn.Module):
    def __init__(self, image_size=32, patch_size=8, num_classes=5, dim=48, depth=2, heads=4):
        super().__init__()
        num_patches = (image_size // patch_size) ** 2
        self.patch = nn.Conv2d(3, dim, patch_size, stride=patch_size)
        self.cls_token = nn.Parameter(torch.zeros(1, 1, dim))
        self.pos_embedding = nn.Parameter(torch.zeros(1, num_patches + 1, dim))
        layer = nn.TransformerEncoderLayer(dim, heads, dim * 2, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, depth)
        self.mlp_head = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, num_classes))

    def forward(self, img):
        x = self.patch(img).flatten(2).transpose(1, 2)
        cls = self.cls_token.expand(x.shape[0], -1, -1)
        x = torch.cat((cls, x), dim=1)
        x = x + self.pos_embedding
        x = self.encoder(x)
        return self.mlp_head(x[:, 0])
