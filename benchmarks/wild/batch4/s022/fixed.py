import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence


class EventVAE(nn.Module):
    """Inter-event times conditioned on the history."""

    def __init__(self, hidden=16, latent=4):
        super().__init__()
        self.history = nn.GRU(1, hidden, batch_first=True)
        self.enc = nn.Sequential(nn.Linear(hidden + 1, 32), nn.ReLU(), nn.Linear(32, 2 * latent))
        self.dec = nn.Sequential(nn.Linear(hidden + latent, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, log_dt, mask):
        past = torch.cat([torch.zeros_like(log_dt[:, :1]), log_dt[:, :-1]], 1)
        h, _ = self.history(past.unsqueeze(-1))
        mean, log_var = self.enc(torch.cat([h, log_dt.unsqueeze(-1)], -1)).chunk(2, dim=-1)
        z = mean + torch.randn_like(mean) * (0.5 * log_var).exp()
        recon = self.dec(torch.cat([h, z], -1)).squeeze(-1)
        recon_loss = (recon - log_dt).pow(2) * mask
        kl_loss = -0.5 * torch.sum(1 + log_var - mean.pow(2) - log_var.exp(), dim=-1) * mask
        return recon_loss, kl_loss


def sequences(n, seed=4):
    g = torch.Generator().manual_seed(seed)
    out = []
    for _ in range(n):
        length = int(torch.randint(5, 20, (1,), generator=g))
        rate = torch.rand(1, generator=g) * 2 + 0.3
        out.append(torch.log(-torch.log(torch.rand(length, generator=g)) / rate + 1e-3))
    return out


def batches(data, size):
    for i in range(0, len(data), size):
        rows = data[i:i + size]
        x = pad_sequence(rows, batch_first=True)
        mask = pad_sequence([torch.ones(len(r)) for r in rows], batch_first=True)
        yield x, mask


torch.manual_seed(1)
data = sequences(64)
model = EventVAE()
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
beta = 0.1
for epoch in range(8):
    rec_sum = kl_sum = count = 0.0
    for x, mask in batches(data, 16):
        rec, kl = model(x, mask)
        loss = (rec + beta * kl).sum() / mask.sum()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        rec_sum, kl_sum, count = rec_sum + rec.sum().item(), kl_sum + kl.sum().item(), count + mask.sum().item()
    if epoch % 2:
        print("epoch %d recon %.4f kl %.4f" % (epoch, rec_sum / count, kl_sum / count))
