"""REINFORCE on a corridor: log-probabilities of the sampled actions times centred returns."""
import torch
import torch.nn as nn
from torch.distributions import Categorical


class Corridor:
    def __init__(self, length=6):
        self.length = length

    def reset(self):
        self.place, self.time = 0, 0
        return self._observe()

    def _observe(self):
        return torch.tensor([self.place / self.length, self.time / 20])

    def step(self, action):
        self.place = max(0, self.place + (1 if action == 1 else -1))
        self.time += 1
        arrived = self.place >= self.length
        return self._observe(), 1.0 if arrived else -0.05, arrived or self.time >= 20


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.affine1 = nn.Linear(2, 24)
        self.affine2 = nn.Linear(24, 2)

    def forward(self, x):
        return torch.softmax(self.affine2(torch.relu(self.affine1(x))), dim=-1)


def run_episode(env, policy):
    log_probs, rewards = [], []
    state, done = env.reset(), False
    while not done:
        dist = Categorical(policy(state.unsqueeze(0)))
        action = dist.sample()
        log_probs.append(dist.log_prob(action))
        state, reward, done = env.step(action.item())
        rewards.append(reward)
    return torch.cat(log_probs), rewards


def returns_of(rewards, gamma=0.97):
    R, out = 0.0, []
    for r in rewards[::-1]:
        R = r + gamma * R
        out.insert(0, R)
    return torch.tensor(out)


def main():
    torch.manual_seed(15)
    env, policy = Corridor(), Policy()
    optimizer = torch.optim.Adam(policy.parameters(), lr=0.01)
    for episode in range(12):
        log_probs, rewards = run_episode(env, policy)
        returns = returns_of(rewards)
        returns = (returns - returns.mean()) / (returns.std(unbiased=False) + 1e-8)
        loss = -(log_probs * returns).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if episode % 4 == 3:
            print(f"episode {episode + 1} length {len(rewards)} total {sum(rewards):.2f}")


if __name__ == "__main__":
    main()
