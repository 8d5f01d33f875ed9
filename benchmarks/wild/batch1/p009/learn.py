import copy
import random

import torch
import torch.nn as nn


class DuelingNet(nn.Module):
    def __init__(self, obs_dim, n_actions, hidden):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(obs_dim, hidden), nn.ReLU())
        self.value = nn.Linear(hidden, 1)
        self.advantage = nn.Linear(hidden, n_actions)

    def forward(self, x):
        h = self.body(x)
        a = self.advantage(h)
        return self.value(h) + a - a.mean(1, keepdim=True)


class DQNLearner:
    def __init__(self, obs_dim, n_actions, cfg):
        self.cfg = cfg
        self.n_actions = n_actions
        self.Q = DuelingNet(obs_dim, n_actions, cfg.hidden)
        self.Q_target = copy.deepcopy(self.Q)
        self.optimizer = torch.optim.RMSprop(self.Q.parameters(), lr=cfg.lr)
        self.rng = random.Random(cfg.seed)
        self.num_updates = 0

    def select_action(self, obs, step):
        frac = min(1.0, step / self.cfg.total_steps)
        eps = self.cfg.eps_start + frac * (self.cfg.eps_end - self.cfg.eps_start)
        if self.rng.random() < eps:
            return self.rng.randrange(self.n_actions)
        with torch.no_grad():
            return self.Q(torch.from_numpy(obs).unsqueeze(0)).argmax(1).item()

    def update(self, batch):
        obs, act, rew, next_obs, done = batch
        q_s_a = self.Q(obs).gather(1, act.unsqueeze(1)).squeeze(1)
        with torch.no_grad():
            if self.cfg.double_dqn:
                a_prime = self.Q(next_obs).argmax(1, keepdim=True)
                q_next = self.Q_target(next_obs).gather(1, a_prime).squeeze(1)
            else:
                q_next = self.Q_target(next_obs).max(1)[0]
            error = rew + self.cfg.gamma * (1 - done) * q_next - q_s_a
        # clip the error and flip
        clipped_error = -1.0 * error.clamp(-1, 1)

        self.optimizer.zero_grad()
        q_s_a.backward(clipped_error.unsqueeze(1))
        self.optimizer.step()

        self.num_updates += 1
        if self.num_updates % self.cfg.target_update_freq == 0:
            self.Q_target.load_state_dict(self.Q.state_dict())
        return error.abs().mean().item()
