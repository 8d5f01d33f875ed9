import math

import torch
import torch.nn as nn

from quantize import VectorQuantize


class ResidualUnit(nn.Module):
    def __init__(self, dim, dilation):
        super().__init__()
        self.block = nn.Sequential(
            nn.ELU(), nn.Conv1d(dim, dim, 7, dilation=dilation, padding=3 * dilation),
            nn.ELU(), nn.Conv1d(dim, dim, 1))

    def forward(self, x):
        return x + self.block(x)


class EncoderBlock(nn.Module):
    def __init__(self, dim, stride):
        super().__init__()
        self.block = nn.Sequential(
            ResidualUnit(dim, 1), ResidualUnit(dim, 3), nn.ELU(),
            nn.Conv1d(dim, 2 * dim, 2 * stride, stride=stride, padding=math.ceil(stride / 2)))

    def forward(self, x):
        return self.block(x)


class DecoderBlock(nn.Module):
    def __init__(self, dim, stride):
        super().__init__()
        self.block = nn.Sequential(
            nn.ELU(),
            nn.ConvTranspose1d(2 * dim, dim, 2 * stride, stride=stride, padding=math.ceil(stride / 2)),
            ResidualUnit(dim, 1), ResidualUnit(dim, 3))

    def forward(self, x):
        return self.block(x)


class Codec(nn.Module):
    def __init__(self, d_model, strides, codebook_size, codebook_dim):
        super().__init__()
        dims = [d_model * 2 ** i for i in range(len(strides))]
        self.encoder = nn.Sequential(
            nn.Conv1d(1, d_model, 7, padding=3),
            *[EncoderBlock(d, s) for d, s in zip(dims, strides)])
        latent = 2 * dims[-1]
        self.quantizer = VectorQuantize(latent, codebook_size, codebook_dim)
        self.decoder = nn.Sequential(
            *[DecoderBlock(d, s) for d, s in zip(reversed(dims), reversed(strides))],
            nn.Conv1d(d_model, 1, 7, padding=3), nn.Tanh())

    def forward(self, signal):
        z, commit = self.quantizer(self.encoder(signal))
        return self.decoder(z), commit
