import math

import torch


class CosineSchedule:
    """log-SNR of times between 0 (clean) and 1."""

    def __init__(self, s=0.008, clamp=(1e-4, 0.9999)):
        self.s, self.clamp = s, clamp

    def __call__(self, t):
        var = torch.cos((self.s + t.clamp(0, 1)) / (1 + self.s) * math.pi / 2) ** 2
        var = var.clamp(*self.clamp)
        return (var / (1 - var)).log()


class GDF:
    def __init__(self, schedule):
        self.schedule = schedule

    def diffuse(self, x0, t=None):
        if t is None:
            t = torch.full((len(x0),), 1.0 / x0.size(0))
        logsnr = self.schedule(t)
        a = logsnr.sigmoid().sqrt().view(-1, *[1] * (x0.dim() - 1))
        b = (-logsnr).sigmoid().sqrt().view(-1, *[1] * (x0.dim() - 1))
        noise = torch.randn_like(x0)
        return x0 * a + noise * b, noise, logsnr
