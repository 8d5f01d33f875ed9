import numpy as np
import torch


class ReplayBuffer:
    def __init__(self, size, obs_dim, seed=0):
        self.obs = np.zeros((size, obs_dim), dtype=np.float32)
        self.next_obs = np.zeros((size, obs_dim), dtype=np.float32)
        self.action = np.zeros(size, dtype=np.int64)
        self.reward = np.zeros(size, dtype=np.float32)
        self.done = np.zeros(size, dtype=np.float32)
        self.size, self.idx, self.full = size, 0, False
        self.rng = np.random.RandomState(seed)

    def add(self, obs, action, reward, next_obs, done):
        i = self.idx
        self.obs[i], self.next_obs[i] = obs, next_obs
        self.action[i], self.reward[i], self.done[i] = action, reward, done
        self.idx = (i + 1) % self.size
        self.full = self.full or self.idx == 0

    def sample(self, batch_size):
        ids = self.rng.randint(0, self.size if self.full else self.idx, size=batch_size)
        arrays = (self.obs, self.action, self.reward, self.next_obs, self.done)
        return tuple(torch.from_numpy(a[ids]) for a in arrays)
