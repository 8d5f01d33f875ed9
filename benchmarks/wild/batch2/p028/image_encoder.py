import torch
import torch.nn as nn


class Block(nn.Module):
    def __init__(self, dim, num_heads):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.attn = nn.MultiheadAttention(dim, num_heads, batch_first=True)
        self.mlp = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x):
        b, h, w, c = x.shape
        y = self.norm1(x).reshape(b, h * w, c)
        x = x + self.attn(y, y, y, need_weights=False)[0].view(b, h, w, c)
        return x + self.mlp(self.norm2(x))


class ImageEncoderViT(nn.Module):
    def __init__(self, img_size, patch_size, embed_dim, depth, num_heads):
        super().__init__()
        self.patch_embed = nn.Conv2d(1, embed_dim, patch_size, stride=patch_size)
        grid = img_size // patch_size
        self.pos_embed = nn.Parameter(torch.zeros(1, grid, grid, embed_dim))
        nn.init.trunc_normal_(self.pos_embed, std=0.02)
        self.blocks = nn.ModuleList(Block(embed_dim, num_heads) for _ in range(depth))

    def forward(self, x):
        x = self.patch_embed(x).permute(0, 2, 3, 1)
        x = x + self.pos_embed
        for blk in self.blocks:
            x = blk(x)
        return x.permute(0, 3, 1, 2)
