import torch
import torch.nn as nn
from torch.distributions import Normal

torch.manual_seed(0)


class ActorCritic(nn.Module):
    def __init__(self, obs, act):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(obs, 32), nn.Tanh())
        self.mu = nn.Linear(32, act)
        self.log_std = nn.Parameter(torch.zeros(act))
        self.v = nn.Linear(32, 1)

    def act(self, obs):
        d = self.dist(obs)
        a = d.sample()
        return a, d.log_prob(a).sum(-1)

    def dist(self, obs):
        h = self.body(obs)
        return Normal(self.mu(h), self.log_std.exp())

    def evaluate(self, obs, act):
        h = self.body(obs)
        d = Normal(self.mu(h), self.log_std.exp())
        return d.log_prob(act).sum(-1), d.entropy().sum(-1), self.v(h).squeeze(-1)


policy = ActorCritic(6, 3)
opt = torch.optim.Adam(policy.parameters(), lr=3e-4)
for it in range(2):
    obs = torch.randn(64, 6)
    with torch.no_grad():
        act, old = policy.act(obs)
    ret = torch.randn(64)
    for lo in range(0, 64, 16):
        sl = slice(lo, lo + 16)
        logp, ent, val = policy.evaluate(obs[sl], act[sl])
        adv = ret[sl] - val.detach()
        ratio = (logp - old[sl]).exp()
        surr = torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv)
        loss = -surr.mean() + 0.5 * (val - ret[sl]).pow(2).mean() - 0.01 * ent.mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(it, round(loss.item(), 4))
