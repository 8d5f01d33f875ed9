import numpy as np
import torch
from torch import nn

from memory import ReplayMemory


class DeepQNetwork(nn.Module):
    def __init__(self, n_obs, hidden, n_actions):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_obs, hidden), nn.ReLU(), nn.Linear(hidden, n_actions))

    def forward(self, obs):
        return self.net(obs)


class Agent:
    def __init__(self, cfg):
        self.__dict__.update(cfg["agent"])
        self.n_actions = cfg["env"]["n_actions"]
        self.q = DeepQNetwork(cfg["env"]["n_obs"], self.hidden, self.n_actions)
        self.opt = torch.optim.Adam(self.q.parameters(), lr=self.lr)
        self.loss = nn.MSELoss()
        self.memory = ReplayMemory(**cfg["memory"])
        self.losses = []

    def choose(self, obs):
        if np.random.rand() < self.eps:
            return np.random.randint(self.n_actions)
        with torch.no_grad():
            return int(self.q(torch.from_numpy(obs)).argmax())

    def learn(self):
        if self.memory.count < self.batch_size:
            return
        batch = self.memory.sample(self.batch_size)
        rows = torch.arange(self.batch_size)
        action = batch["action"]
        q_eval = self.q(batch["obs"])[rows, action]
        with torch.no_grad():
            q_next = self.q(batch["next_obs"]).max(1).values
            q_next[batch["done"]] = 0.0
        loss = self.loss(q_eval, batch["reward"] + self.gamma * q_next)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.losses.append(loss.item())
        self.eps = max(self.eps_min, self.eps - self.eps_dec)
