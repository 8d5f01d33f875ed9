import random
from collections import deque, namedtuple

import torch
import torch.nn as nn
import torch.nn.functional as F

Transition = namedtuple("Transition", "state action reward next_state done")
BATCH_SIZE, GAMMA, TAU = 12, 0.95, 0.1


class DuelingQ(nn.Module):
    def __init__(self, n_obs, n_actions):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_obs, 32), nn.ReLU())
        self.value = nn.Linear(32, 1)
        self.advantage = nn.Linear(32, n_actions)

    def forward(self, x):
        h = self.trunk(x)
        a = self.advantage(h)
        return self.value(h) + a - a.mean(dim=1, keepdim=True)


class Balance:
    """Keep a drifting number near zero with three pushes."""

    def reset(self):
        self.x, self.t = random.uniform(-1, 1), 0
        return [self.x, self.t / 15]

    def step(self, action):
        self.x += (action - 1) * 0.3 + random.gauss(0, 0.1)
        self.t += 1
        done = abs(self.x) > 2 or self.t >= 15
        return [self.x, self.t / 15], 1.0 - abs(self.x), done


random.seed(16)
torch.manual_seed(16)
policy_net, target_net = DuelingQ(2, 3), DuelingQ(2, 3)
target_net.load_state_dict(policy_net.state_dict())
optimizer = torch.optim.AdamW(policy_net.parameters(), lr=3e-3, amsgrad=True)
memory, env = deque(maxlen=300), Balance()


def select(state, eps):
    if random.random() < eps:
        return random.randrange(3)
    with torch.no_grad():
        return policy_net(torch.tensor([state])).max(1).indices.item()


def optimize():
    batch = Transition(*zip(*random.sample(list(memory), BATCH_SIZE)))
    state = torch.tensor(batch.state)
    action = torch.tensor(batch.action).unsqueeze(1)
    reward = torch.tensor(batch.reward)
    next_state = torch.tensor(batch.next_state)
    alive = 1.0 - torch.tensor(batch.done, dtype=torch.float32)
    q = policy_net(state).gather(1, action).squeeze(1)
    with torch.no_grad():
        best = policy_net(next_state).argmax(dim=1, keepdim=True)
        target = reward + GAMMA * alive * target_net(next_state).gather(1, best).squeeze(1)
    loss = F.smooth_l1_loss(q, target)
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_value_(policy_net.parameters(), 100)
    optimizer.step()
    with torch.no_grad():
        for slow, fast in zip(target_net.parameters(), policy_net.parameters()):
            slow.mul_(1 - TAU).add_(TAU * fast)
    return loss.item()


for episode in range(8):
    state, total, done = env.reset(), 0.0, False
    while not done:
        action = select(state, eps=max(0.1, 1 - episode / 5))
        next_state, reward, done = env.step(action)
        memory.append(Transition(state, action, reward, next_state, done))
        state, total = next_state, total + reward
        if len(memory) >= BATCH_SIZE:
            loss = optimize()
    print(f"episode {episode} return {total:.2f}")
