import numpy as np
import torch
import torch.nn.functional as F

from networks import Actor, Critic

torch.manual_seed(0)
rng = np.random.default_rng(0)


class ReplayBuffer:
    def __init__(self):
        self.storage = []

    def add(self, transition):
        self.storage.append(transition)

    def sample(self, batch_size):
        picks = [self.storage[i] for i in rng.integers(0, len(self.storage), batch_size)]
        s, a, r, s2 = (np.array(column, dtype=np.float32) for column in zip(*picks))
        return torch.from_numpy(s), torch.from_numpy(a), torch.from_numpy(r).unsqueeze(1), torch.from_numpy(s2)


buffer = ReplayBuffer()
for _ in range(100):
    buffer.add((rng.normal(size=3), rng.uniform(-2, 2), rng.normal(), rng.normal(size=3)))

actor, critic = Actor(3, 1, 2.0), Critic(3, 1)
actor_opt = torch.optim.Adam(actor.parameters(), lr=1e-3)
critic_opt = torch.optim.Adam(critic.parameters(), lr=1e-3)
for step in range(4):
    state, action, reward, next_state = buffer.sample(20)
    with torch.no_grad():
        target_q = reward + 0.99 * critic(next_state, actor(next_state))
    current_q = critic(state, action)
    critic_loss = F.mse_loss(current_q, target_q)
    critic_opt.zero_grad()
    critic_loss.backward()
    critic_opt.step()
    actor_loss = -critic(state, actor(state)).mean()
    actor_opt.zero_grad()
    actor_loss.backward()
    actor_opt.step()
    print(f"{step} critic {critic_loss.item():.4f} actor {actor_loss.item():.4f}")
