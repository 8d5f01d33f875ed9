import torch
from torch import nn
import torch.nn.functional as F


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Conv1d(1, 8, 3, padding=1), nn.ReLU(), nn.Conv1d(8, 4, 3, padding=1))

    def forward(self, x):
        return self.net(x)


def make_site(shift, n=48, length=16):
    clean = torch.randn(n, 1, length).cumsum(-1) * 0.2
    return clean + shift + 0.2 * torch.randn_like(clean), clean


class Site:
    """One hospital: reconstructs its own scans and aligns features with the target site."""

    def __init__(self, shift, lam=0.5):
        self.noisy, self.clean = make_site(shift)
        self.encoder, self.decoder = Encoder(), nn.Conv1d(4, 1, 1)
        self.critic = nn.Sequential(nn.Flatten(), nn.Linear(64, 16), nn.ReLU(), nn.Linear(16, 1))
        self.opt_g = torch.optim.Adam([*self.encoder.parameters(), *self.decoder.parameters()], lr=5e-3)
        self.opt_d = torch.optim.Adam(self.critic.parameters(), lr=5e-3)
        self.lam = lam
        self.log = []

    def critic_step(self, own, target):
        logits = self.critic(torch.cat([own, target]).detach())
        labels = torch.cat([torch.zeros(len(own), 1), torch.ones(len(target), 1)])
        loss = F.binary_cross_entropy_with_logits(logits, labels)
        self.opt_d.zero_grad()
        loss.backward()
        self.opt_d.step()
        return loss.item()

    def step(self, idx, target_scans):
        feats = self.encoder(self.noisy[idx])
        d_loss = self.critic_step(feats, self.encoder(target_scans))
        loss_rec = F.l1_loss(self.decoder(feats), self.clean[idx])
        logits = self.critic(feats)
        loss_adv_g = F.binary_cross_entropy_with_logits(logits, torch.ones_like(logits))
        adv_value = loss_adv_g.detach()
        self.log.append((loss_rec.item(), float(adv_value), d_loss))
        loss = loss_rec + self.lam * loss_adv_g
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()


torch.manual_seed(5)
target_noisy, _ = make_site(0.0)
site = Site(shift=1.0)
for epoch in range(6):
    for idx in torch.randperm(48).split(16):
        site.step(idx, target_noisy[torch.randint(0, 48, (16,))])
    rec, adv, dis = torch.tensor(site.log[-3:]).mean(0).tolist()
    print("epoch %d rec %.4f adv %.4f critic %.4f" % (epoch, rec, adv, dis))
with torch.no_grad():
    gap = (site.encoder(site.noisy).mean(0) - site.encoder(target_noisy).mean(0)).norm()
print("feature gap %.4f" % gap.item())
