import random

import torch
import torch.nn as nn

from memory import ReplayMemory, Transition

random.seed(0)
torch.manual_seed(0)
BATCH_SIZE, GAMMA = 16, 0.99
policy_net = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 2))
target_net = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 2))
target_net.load_state_dict(policy_net.state_dict())
optimizer = torch.optim.AdamW(policy_net.parameters(), lr=1e-3)
memory = ReplayMemory(200)

state = torch.randn(1, 4)
for _ in range(60):
    action = torch.tensor([[random.randrange(2)]])
    next_state = state * 0.9 + 0.1 * torch.randn(1, 4)
    reward = torch.tensor([float(action.item()) - 0.5])
    memory.push(state, action, next_state, reward)
    state = next_state


def optimize_model():
    transitions = memory.sample(BATCH_SIZE)
    batch = Transition(*zip(*transitions))
    state_batch = torch.cat(batch.state)
    action_batch = torch.cat(batch.action)
    reward_batch = torch.cat(batch.reward)
    next_batch = torch.cat(batch.next_state)
    state_action_values = policy_net(state_batch).gather(1, action_batch)
    with torch.no_grad():
        next_values = target_net(next_batch).max(1).values
    expected = next_values * GAMMA + reward_batch
    loss = nn.SmoothL1Loss()(state_action_values, expected.unsqueeze(1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


for i in range(4):
    print(i, f"{optimize_model():.5f}")
