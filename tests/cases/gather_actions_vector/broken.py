import random
from collections import deque, namedtuple

import torch
import torch.nn as nn

Transition = namedtuple("Transition", "state action reward next_state done")
random.seed(0)
torch.manual_seed(0)


class ReplayMemory:
    def __init__(self, capacity):
        self.memory = deque(maxlen=capacity)

    def push(self, *args):
        self.memory.append(Transition(*args))

    def sample(self, batch_size):
        return Transition(*zip(*random.sample(self.memory, batch_size)))


class DQN(nn.Module):
    def __init__(self, n_obs=4, n_actions=3):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_obs, 32), nn.ReLU(), nn.Linear(32, n_actions))

    def forward(self, x):
        return self.net(x)


policy_net, target_net = DQN(), DQN()
target_net.load_state_dict(policy_net.state_dict())
optimizer = torch.optim.Adam(policy_net.parameters(), lr=1e-3)
memory = ReplayMemory(200)
for _ in range(200):
    memory.push(torch.randn(4), random.randrange(3), random.random(), torch.randn(4), float(random.random() < 0.1))


def optimize_model(batch_size=32, gamma=0.99):
    batch = memory.sample(batch_size)
    states = torch.stack(batch.state)
    actions = torch.tensor(batch.action)
    rewards = torch.tensor(batch.reward)
    next_states = torch.stack(batch.next_state)
    done = torch.tensor(batch.done)
    q = policy_net(states).gather(1, actions)
    with torch.no_grad():
        next_q = target_net(next_states).max(1).values
    expected = rewards + gamma * next_q * (1 - done)
    loss = nn.functional.smooth_l1_loss(q, expected)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


for step in range(5):
    print(f"step {step} loss {optimize_model():.4f}")
