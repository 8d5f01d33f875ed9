import random
from collections import deque, namedtuple

import torch
import torch.nn as nn
import torch.nn.functional as F

Transition = namedtuple("Transition", "state action reward next_state done")
GAMMA = 0.9
random.seed(0)
torch.manual_seed(0)


def corridor(state, action):
    """Walk left or right on five cells; the last one pays."""
    nxt = max(0, min(4, state + (1 if action else -1)))
    return nxt, float(nxt == 4), nxt == 4


one_hot = lambda s: F.one_hot(torch.tensor(s), 5).float()
q_net = nn.Sequential(nn.Linear(5, 24), nn.ReLU(), nn.Linear(24, 2))
target_net = nn.Sequential(nn.Linear(5, 24), nn.ReLU(), nn.Linear(24, 2))
target_net.load_state_dict(q_net.state_dict())
optimizer = torch.optim.Adam(q_net.parameters(), lr=0.01)
memory = deque(maxlen=200)


def optimize(batch_size=16):
    batch = Transition(*zip(*random.sample(memory, batch_size)))
    states, next_states = torch.stack(batch.state), torch.stack(batch.next_state)
    actions = torch.tensor(batch.action).unsqueeze(1)
    rewards, done = torch.tensor(batch.reward), torch.tensor(batch.done)
    q_values = q_net(states).gather(1, actions).squeeze(1)
    with torch.no_grad():
        best = target_net(next_states).max(dim=1).values
        expected = rewards + GAMMA * best * (~done)
    loss = F.smooth_l1_loss(q_values, expected)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


state = 0
for step in range(120):
    action = random.randrange(2)
    nxt, reward, done = corridor(state, action)
    memory.append(Transition(one_hot(state), action, reward, one_hot(nxt), done))
    state = 0 if done else nxt
    if len(memory) >= 32:
        loss = optimize()
    if step % 40 == 39:
        target_net.load_state_dict(q_net.state_dict())
        print(f"step {step + 1} loss {loss:.4f} q(0) {q_net(one_hot(0)).max().item():.3f}")
