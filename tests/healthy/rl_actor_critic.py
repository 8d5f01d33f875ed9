import torch
from torch import nn, optim
from torch.distributions import Categorical


class ActorCritic(nn.Module):
    def __init__(self, obs_size, n_actions):
        super().__init__()
        self.shared = nn.Linear(obs_size, 32)
        self.policy = nn.Linear(32, n_actions)
        self.value = nn.Linear(32, 1)

    def forward(self, obs):
        h = torch.tanh(self.shared(obs))
        return Categorical(logits=self.policy(h)), self.value(h).squeeze(-1)


def bandit(n, arms=4):
    """The best arm is told by the context."""
    context = torch.randn(n, arms)
    return context, context + 0.1 * torch.randn(n, arms)


torch.manual_seed(18)
model = ActorCritic(4, 4)
opt = optim.Adam(model.parameters(), lr=0.01)
entropy_weight = 0.01
for step in range(20):
    context, payoff = bandit(16)
    dist, value = model(context)
    action = dist.sample()
    reward = payoff.gather(1, action[:, None]).squeeze(1)
    # the critic is a baseline here: no gradient goes through it to the actor
    advantage = reward - value.detach()
    actor = -(dist.log_prob(action) * advantage).mean()
    critic = nn.functional.mse_loss(value, reward)
    loss = actor + 0.5 * critic - entropy_weight * dist.entropy().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 5 == 4:
        regret = (payoff.max(dim=1).values - reward).mean()
        print(f"step {step + 1}: regret {regret.item():.3f}")
