import argparse
import math

import torch
from torch import nn


class MDRNN(nn.Module):
    """Predicts the next latent as a mixture of gaussians."""

    def __init__(self, latents, actions, hidden, gaussians):
        super().__init__()
        self.latents, self.gaussians = latents, gaussians
        self.rnn = nn.LSTM(latents + actions, hidden)
        self.head = nn.Linear(hidden, (2 * latents + 1) * gaussians)

    def forward(self, latents, actions):
        seq, bs = latents.shape[:2]
        outs, _ = self.rnn(torch.cat([actions, latents], dim=-1))
        outs = self.head(outs)
        stride = self.gaussians * self.latents
        mus = outs[..., :stride].reshape(seq, bs, self.gaussians, self.latents)
        sigmas = outs[..., stride:2 * stride].reshape(seq, bs, self.gaussians, self.latents).exp()
        pi = outs[..., 2 * stride:].reshape(seq, bs, self.gaussians)
        logpi = torch.log_softmax(pi, dim=-1)
        return mus, sigmas, logpi


def gmm_loss(target, mus, sigmas, logpi):
    target = target.unsqueeze(-2)
    logp = -0.5 * ((target - mus) / sigmas) ** 2 - sigmas.log() - 0.5 * math.log(2 * math.pi)
    logp = logpi + logp.sum(dim=-1)
    return -torch.logsumexp(logp, dim=-1).mean()


def dream_data(n, length, seed=7):
    """A point on a circle that is pushed by an action and jumps at times."""
    g = torch.Generator().manual_seed(seed)
    push = torch.randn(length, n, 1, generator=g) * 0.4
    jump = (torch.rand(length, n, 1, generator=g) < 0.2) * math.pi
    angle = torch.cumsum(push + jump, dim=0)
    z = torch.cat([angle.cos(), angle.sin()], dim=-1) + 0.05 * torch.randn(length, n, 2, generator=g)
    return z, push


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=8)
    p.add_argument("--batch", type=int, default=16)
    p.add_argument("--gaussians", type=int, default=5)
    args = p.parse_args()
    torch.manual_seed(0)
    z, a = dream_data(96, 20)
    model = MDRNN(2, 1, 32, args.gaussians)
    opt = torch.optim.RMSprop(model.parameters(), lr=3e-3, alpha=0.9)
    for epoch in range(args.epochs):
        total, n = 0.0, 0
        for rows in torch.randperm(z.size(1)).split(args.batch):
            mus, sigmas, logpi = model(z[:-1, rows], a[1:, rows])
            loss = gmm_loss(z[1:, rows], mus, sigmas, logpi)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            total, n = total + loss.item(), n + 1
        print("epoch %d nll %.4f" % (epoch, total / n))
    with torch.no_grad():
        for rows in (1, 16):
            out = model(z[:-1, :rows], a[1:, :rows])
            print("nll of sequence 0 among %d: %.4f" % (rows, gmm_loss(z[1:, :1], *[o[:, :1] for o in out])))


if __name__ == "__main__":
    main()
