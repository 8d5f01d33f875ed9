import torch
from torch import nn

from parts import DetailHead, Encoder


class MakeupTransfer(nn.Module):
    def __init__(self, base_channels, embed, down):
        super().__init__()
        self.content = Encoder(embed, down)
        self.makeup = Encoder(embed, down)
        self.attn = nn.MultiheadAttention(embed, 3, batch_first=True)
        self.head = DetailHead(embed, base_channels, down)

    def forward(self, source, reference):
        content, makeup = self.content(source), self.makeup(reference)
        b, c, h, w = content.shape
        q = content.flatten(2).transpose(1, 2)
        kv = makeup.flatten(2).transpose(1, 2)
        mixed, _ = self.attn(q, kv, kv)
        return self.head(content + mixed.transpose(1, 2).reshape(b, c, h, w))
