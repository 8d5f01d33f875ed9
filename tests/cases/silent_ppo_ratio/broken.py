import torch
from torch import nn
from torch.distributions import Categorical


class Policy(nn.Module):
    def __init__(self, n_obs=4, n_act=3):
        super().__init__()
        self.pi = nn.Sequential(nn.Linear(n_obs, 32), nn.Tanh(), nn.Linear(32, n_act))
        self.v = nn.Sequential(nn.Linear(n_obs, 32), nn.Tanh(), nn.Linear(32, 1))

    def dist(self, obs):
        return Categorical(logits=self.pi(obs))


def act(policy, obs):
    with torch.no_grad():
        dist = policy.dist(obs)
        action = dist.sample()
        return action, dist.log_prob(action), policy.v(obs)


def reward_of(obs, action):
    best = obs[:, :3].argmax(dim=1)
    return (action == best).float()


torch.manual_seed(13)
policy = Policy()
optimizer = torch.optim.Adam(policy.parameters(), lr=0.01)
clip = 0.2
for iteration in range(30):
    obs = torch.randn(48, 4)
    action, old_log_prob, value = act(policy, obs)
    reward = reward_of(obs, action)
    advantage = reward - value
    for _ in range(3):
        log_prob = policy.dist(obs).log_prob(action)
        ratio = (log_prob - old_log_prob).exp()
        unclipped = ratio * advantage
        clipped = ratio.clamp(1 - clip, 1 + clip) * advantage
        policy_loss = -torch.min(unclipped, clipped).mean()
        value_loss = (policy.v(obs).squeeze(-1) - reward).pow(2).mean()
        loss = policy_loss + 0.5 * value_loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if iteration % 10 == 9:
        print(f"iteration {iteration + 1} reward {reward.mean().item():.3f} policy {policy_loss.item():.4f}")
