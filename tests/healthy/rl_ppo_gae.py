"""PPO with generalised advantage estimation over several environments at once."""
import torch
import torch.nn as nn
from torch.distributions import Normal

ENVS, STEPS, GAMMA, LAMBDA, CLIP = 4, 10, 0.95, 0.9, 0.2


class Points:
    """Points in the plane that should go to the origin."""

    def __init__(self, n):
        self.n = n

    def reset(self):
        self.at = torch.randn(self.n, 2)
        return self.at.clone()

    def step(self, push):
        self.at = self.at + 0.3 * push.clamp(-1, 1)
        distance = self.at.norm(dim=-1)
        done = distance > 4
        self.at[done] = torch.randn(int(done.sum()), 2)
        return self.at.clone(), -distance, done.float()


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.critic = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 1))
        self.actor = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 2))
        self.log_std = nn.Parameter(torch.zeros(1, 2))

    def get_value(self, x):
        return self.critic(x).squeeze(-1)

    def act(self, x, action=None):
        mean = self.actor(x)
        dist = Normal(mean, self.log_std.expand_as(mean).exp())
        if action is None:
            action = dist.sample()
        return action, dist.log_prob(action).sum(-1), dist.entropy().sum(-1), self.get_value(x)


torch.manual_seed(17)
env, agent = Points(ENVS), Agent()
optimizer = torch.optim.Adam(agent.parameters(), lr=3e-3, eps=1e-5)
obs = env.reset()
for update in range(4):
    seen = torch.zeros(STEPS, ENVS, 2)
    actions = torch.zeros(STEPS, ENVS, 2)
    logps, rewards, dones, values = (torch.zeros(STEPS, ENVS) for _ in range(4))
    for t in range(STEPS):
        seen[t] = obs
        with torch.no_grad():
            actions[t], logps[t], _, values[t] = agent.act(obs)
        obs, rewards[t], dones[t] = env.step(actions[t])
    with torch.no_grad():
        following = agent.get_value(obs)
    advantages, last = torch.zeros_like(rewards), torch.zeros(ENVS)
    for t in reversed(range(STEPS)):
        delta = rewards[t] + GAMMA * following * (1 - dones[t]) - values[t]
        last = delta + GAMMA * LAMBDA * (1 - dones[t]) * last
        advantages[t], following = last, values[t]
    returns = advantages + values

    b_obs, b_actions = seen.reshape(-1, 2), actions.reshape(-1, 2)
    b_logps, b_adv, b_returns = logps.reshape(-1), advantages.reshape(-1), returns.reshape(-1)
    for index in torch.randperm(ENVS * STEPS).split(16):
        _, new_logp, entropy, value = agent.act(b_obs[index], b_actions[index])
        ratio = (new_logp - b_logps[index]).exp()
        adv = b_adv[index]
        adv = (adv - adv.mean()) / (adv.std(unbiased=False) + 1e-8)
        pg_loss = torch.max(-adv * ratio, -adv * ratio.clamp(1 - CLIP, 1 + CLIP)).mean()
        v_loss = 0.5 * ((value - b_returns[index]) ** 2).mean()
        loss = pg_loss - 0.01 * entropy.mean() + 0.5 * v_loss
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
        optimizer.step()
    print(f"update {update} reward {rewards.mean().item():.3f} value loss {v_loss.item():.3f}")
