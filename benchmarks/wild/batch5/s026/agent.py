import torch
from torch import nn
from torch.distributions import Categorical


class ActorCritic(nn.Module):
    def __init__(self, obs_dim, n_actions, width=32):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(obs_dim, width), nn.Tanh())
        self.pi = nn.Linear(width, n_actions)
        self.v = nn.Linear(width, 1)

    def forward(self, obs):
        h = self.body(obs)
        return Categorical(logits=self.pi(h)), self.v(h)


def ppo_step(net, optim, obs, actions, old_logp, adv, ret, clip=0.2):
    dist, value = net(obs)
    ratio = torch.exp(dist.log_prob(actions) - old_logp)
    surr1 = ratio * adv
    surr2 = torch.clamp(ratio, 1 - clip, 1 + clip) * adv
    policy_loss = -torch.min(surr1, surr2).mean()
    value_loss = (ret - value).pow(2).mean()
    loss = policy_loss + 0.5 * value_loss - 0.01 * dist.entropy().mean()
    optim.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    optim.step()
    return policy_loss.item(), value_loss.item()
