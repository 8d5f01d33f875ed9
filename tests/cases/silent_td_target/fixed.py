import random
from collections import deque

import torch
from torch import nn


class Memory:
    def __init__(self, room):
        self.items = deque(maxlen=room)

    def push(self, *item):
        self.items.append(item)

    def sample(self, n):
        obs, action, reward, after, done = zip(*random.sample(list(self.items), n))
        return (
            torch.stack(obs),
            torch.tensor(action).unsqueeze(1),
            torch.tensor(reward).unsqueeze(1),
            torch.stack(after),
            torch.tensor(done).unsqueeze(1),
        )


class Walk:
    """Five cells in a row; the right end pays."""

    def reset(self):
        self.cell = 2
        return self.seen()

    def seen(self):
        return torch.eye(5)[self.cell]

    def step(self, action):
        self.cell = max(0, self.cell - 1) if action == 0 else self.cell + 1
        done = self.cell == 4
        return self.seen(), float(done), float(done)


random.seed(14)
torch.manual_seed(14)
q, q_target = nn.Linear(5, 2), nn.Linear(5, 2)
q_target.load_state_dict(q.state_dict())
optimizer = torch.optim.Adam(q.parameters(), lr=0.05)
env, memory, gamma = Walk(), Memory(500), 0.9

obs = env.reset()
for t in range(300):
    action = random.randrange(2) if random.random() < 0.3 else q(obs).argmax().item()
    after, reward, done = env.step(action)
    memory.push(obs, action, reward, after, done)
    obs = env.reset() if done else after
    if t < 40:
        continue
    o, a, r, o2, d = memory.sample(16)
    with torch.no_grad():
        best_next = q_target(o2).max(dim=1, keepdim=True).values
        target = r + gamma * (1 - d) * best_next
    td_error = q(o).gather(1, a) - target
    loss = (td_error**2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if t % 20 == 0:
        q_target.load_state_dict(q.state_dict())
    if t % 100 == 99:
        print(f"t {t + 1} td {loss.item():.5f} q(middle) {q(torch.eye(5)[2]).max().item():.3f}")
