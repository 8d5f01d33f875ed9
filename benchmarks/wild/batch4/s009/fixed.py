import torch
from torch import nn
from torch.distributions import Categorical

N_ENVS, HORIZON, OBS, ACT = 4, 24, 5, 3


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(OBS, 32), nn.Tanh())
        self.pi = nn.Linear(32, ACT)
        self.vf = nn.Linear(32, 1)

    def forward(self, obs):
        h = self.body(obs)
        return Categorical(logits=self.pi(h)), self.vf(h).squeeze(-1)


def rollout(net):
    """Everything is stored as (n_envs, horizon, ...)."""
    obs = torch.randn(N_ENVS, HORIZON, OBS)
    obs[..., 4] = torch.arange(HORIZON) / HORIZON
    with torch.no_grad():
        dist, value = net(obs)
        act = dist.sample()
    reward = (act == obs[..., :ACT].argmax(-1)).float() * (1 + 4 * obs[..., 4])
    return obs, act, dist.log_prob(act), value, reward


def gae(reward, value, gamma=0.9, lam=0.9):
    adv = torch.zeros_like(reward)
    last = torch.zeros(N_ENVS)
    for t in reversed(range(HORIZON)):
        nxt = value[:, t + 1] if t + 1 < HORIZON else torch.zeros(N_ENVS)
        delta = reward[:, t] + gamma * nxt - value[:, t]
        last = delta + gamma * lam * last
        adv[:, t] = last
    return adv, adv + value


def normalize(adv, eps=1e-8):
    mean = adv.mean(dim=(0, 1), keepdim=True)
    std = adv.std(dim=(0, 1), keepdim=True)
    return (adv - mean) / (std + eps)


def update(net, opt, batch, clip=0.2):
    obs, act, old_logp, value, reward = batch
    adv, ret = gae(reward, value)
    adv = normalize(adv)
    for _ in range(3):
        dist, v = net(obs)
        ratio = (dist.log_prob(act) - old_logp).exp()
        pg = -torch.min(ratio * adv, ratio.clamp(1 - clip, 1 + clip) * adv).mean()
        loss = pg + 0.5 * (ret - v).pow(2).mean() - 0.01 * dist.entropy().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item(), adv


torch.manual_seed(6)
net = ActorCritic()
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
for it in range(30):
    batch = rollout(net)
    loss, adv = update(net, opt, batch)
    if it % 10 == 9:
        print("iter", it + 1, "loss", round(loss, 4), "reward", round(batch[-1].mean().item(), 4))
print("advantage of first/last step", round(adv[:, 0].mean().item(), 4), round(adv[:, -1].mean().item(), 4))
