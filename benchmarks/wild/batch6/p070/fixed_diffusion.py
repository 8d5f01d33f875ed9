import torch
from torch import nn
import torch.nn.functional as F


def extract(table, t, x):
    return table.gather(0, t).view(-1, *[1] * (x.dim() - 1))


class Palette(nn.Module):
    def __init__(self, denoise_fn, train_steps, test_steps, method):
        super().__init__()
        self.denoise_fn = denoise_fn
        self.train_steps, self.test_steps, self.method = train_steps, test_steps, method
        betas = torch.linspace(1e-3, 0.2, train_steps)
        self.register_buffer("gammas", torch.cumprod(1 - betas, dim=0))

    def loss(self, clean, cond, mask):
        t = torch.randint(0, self.train_steps, (len(clean),))
        gamma = extract(self.gammas, t, clean)
        noise = torch.randn_like(clean)
        noisy = gamma.sqrt() * clean + (1 - gamma).sqrt() * noise
        noisy = noisy * mask + (1 - mask) * clean
        pred = self.denoise_fn(torch.cat([cond, noisy], dim=1), gamma.view(-1, 1))
        return F.mse_loss(pred * mask, noise * mask)

    @torch.no_grad()
    def restore(self, cond, mask):
        if self.method == "ddim":
            return self.restore_ddim(cond, mask)
        raise NotImplementedError(self.method)

    def restore_ddim(self, cond, mask):
        y_t = torch.randn_like(cond)
        steps = torch.linspace(self.train_steps - 1, 0, self.test_steps).long().tolist()
        for i, step in enumerate(steps):
            t = torch.full((len(cond),), step)
            gamma_t = extract(self.gammas, t, cond)
            gamma_prev = torch.ones_like(gamma_t)
            if i + 1 < len(steps):
                prev = torch.full((len(cond),), steps[i + 1])
                gamma_prev = extract(self.gammas, prev, cond)
            noise = self.denoise_fn(torch.cat([cond, y_t], dim=1), gamma_t.view(-1, 1))
            y_0 = (y_t - (1 - gamma_t).sqrt() * noise) / gamma_t.sqrt()
            y_t = gamma_prev.sqrt() * y_0 + (1 - gamma_prev).sqrt() * noise
            y_t = y_t * mask + cond * (1 - mask)
        return y_t
