import torch
import torch.nn as nn
import torch.nn.functional as F


class Critic(nn.Module):
    def __init__(self, obs_dim):
        super().__init__()
        self.v = nn.Sequential(nn.Linear(obs_dim, 32), nn.Tanh(), nn.Linear(32, 1))

    def forward(self, obs):
        return torch.squeeze(self.v(obs), -1)


class Rollout:
    """Observations and discounted returns of one episode."""

    def __init__(self, steps, obs_dim, gamma=0.95):
        self.obs = torch.randn(steps, obs_dim)
        rewards = self.obs[:, 0]
        self.returns = torch.zeros(steps)
        future = torch.zeros(())
        for t in reversed(range(steps)):
            future = rewards[t] + gamma * future
            self.returns[t] = future

    def minibatches(self, size):
        for lo in range(0, len(self.obs), size):
            yield self.obs[lo:lo + size], self.returns[lo:lo + size]


def update(critic, optimizer, rollout, size):
    seen, weighted = 0, 0.0
    for obs, ret in rollout.minibatches(size):
        values = critic(obs)
        n = values.size(0)
        loss = F.mse_loss(values, ret)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        seen += n
        weighted += n * loss.item()
    return weighted / seen


torch.manual_seed(4)
critic = Critic(obs_dim=5)
optimizer = torch.optim.Adam(critic.parameters(), lr=3e-3)
for episode in range(3):
    print(f"episode {episode} value loss {update(critic, optimizer, Rollout(41, 5), size=8):.4f}")
