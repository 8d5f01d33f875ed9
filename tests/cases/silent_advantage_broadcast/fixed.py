import torch
from torch import nn, optim
from torch.distributions import Categorical


class ActorCritic(nn.Module):
    def __init__(self, obs=3, actions=2, hidden=24):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(obs, hidden), nn.Tanh())
        self.actor = nn.Linear(hidden, actions)
        self.critic = nn.Linear(hidden, 1)

    def forward(self, obs):
        h = self.trunk(obs)
        return Categorical(logits=self.actor(h)), self.critic(h).squeeze(-1)


def discounted(rewards, gamma=0.9):
    out, future = [], 0.0
    for r in reversed(rewards.tolist()):
        future = r + gamma * future
        out.insert(0, future)
    return torch.tensor(out)


def episode(model, steps=20):
    """Contextual bandit in disguise: action 1 pays when the first sensor is positive."""
    obs = torch.randn(steps, 3)
    policy, values = model(obs)
    actions = policy.sample()
    rewards = (actions == (obs[:, 0] > 0).long()).float()
    return policy.log_prob(actions), values, discounted(rewards), rewards


torch.manual_seed(62)
agent = ActorCritic()
optimizer = optim.Adam(agent.parameters(), lr=0.02)
for number in range(60):
    log_probs, values, returns, rewards = episode(agent)
    advantages = returns - values
    actor_loss = -(log_probs * advantages.detach()).mean()
    critic_loss = advantages.pow(2).mean()
    loss = actor_loss + 0.5 * critic_loss
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if number % 20 == 19:
        print(f"episode {number + 1} critic {critic_loss.item():.4f} reward {rewards.mean().item():.2f}")
