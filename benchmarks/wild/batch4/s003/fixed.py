import random

import numpy as np
import torch
from torch import nn


class QNet(nn.Module):
    def __init__(self, n_obs, n_act):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_obs, 32), nn.ReLU(), nn.Linear(32, n_act))

    def forward(self, x):
        return self.net(x)


class ReplayBuffer:
    def __init__(self, size, n_obs):
        self.obs = np.zeros((size, n_obs), np.float32)
        self.nxt = np.zeros((size, n_obs), np.float32)
        self.act = np.zeros(size, np.int64)
        self.rew = np.zeros(size, np.float32)
        self.done = np.zeros(size, np.float32)
        self.size, self.n = size, 0

    def store(self, o, a, r, o2, d):
        i = self.n % self.size
        self.obs[i], self.act[i], self.rew[i], self.nxt[i], self.done[i] = o, a, r, o2, d
        self.n += 1

    def sample(self, k):
        idx = np.random.randint(0, min(self.n, self.size), k)
        return [torch.from_numpy(x[idx]) for x in (self.obs, self.act, self.rew, self.nxt, self.done)]


def huber(error):
    small = error.abs().clamp(max=1.0)
    return (0.5 * small ** 2 + (error.abs() - small)).mean()


def dqn_learn(steps=80, gamma=0.3):
    q, target_q = QNet(4, 3), QNet(4, 3)
    target_q.load_state_dict(q.state_dict())
    opt = torch.optim.RMSprop(q.parameters(), lr=5e-3)
    buf = ReplayBuffer(400, 4)
    obs = np.random.randn(4)
    for _ in range(400):
        act = random.randrange(3)
        rew = 2.0 * (act == int(obs[:3].argmax())) - 0.5
        nxt = np.random.randn(4)
        buf.store(obs, act, rew, nxt, random.random() < 0.1)
        obs = nxt
    for t in range(steps):
        obs_b, act_b, rew_b, next_b, done_b = buf.sample(32)
        current = q(obs_b).gather(1, act_b.unsqueeze(1)).squeeze(1)
        next_max = target_q(next_b).detach().max(1)[0]
        target = rew_b + gamma * (1 - done_b) * next_max
        loss = huber(target - current)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if t % 20 == 19:
            target_q.load_state_dict(q.state_dict())
            print("step %d loss %.4f" % (t + 1, loss.item()))
    test = torch.randn(500, 4)
    hit = (q(test).argmax(1) == test[:, :3].argmax(1)).float().mean()
    print("greedy action right %.4f" % hit.item())


random.seed(0)
np.random.seed(0)
torch.manual_seed(0)
dqn_learn()
