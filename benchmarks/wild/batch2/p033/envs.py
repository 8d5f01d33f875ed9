import numpy as np


class VecTradingEnv:
    """n_envs price series; actions: sell, hold, buy"""

    n_actions = 3

    def __init__(self, n_envs, window, n_features, seed, length=400):
        rng = np.random.RandomState(seed)
        self.n_envs, self.window = n_envs, window
        self.series = np.cumsum(rng.randn(n_envs, length, n_features) * 0.1, axis=1).astype(np.float32)
        self.length = length

    def reset(self):
        self.t = self.window
        return self._obs()

    def _obs(self):
        chunk = self.series[:, self.t - self.window:self.t]
        return chunk - chunk[:, :1]

    def step(self, actions):
        change = self.series[:, self.t, 0] - self.series[:, self.t - 1, 0]
        reward = (actions - 1) * change
        self.t += 1
        done = self.t >= self.length - 1
        obs = self.reset() if done else self._obs()
        return obs, reward.astype(np.float32), np.full(self.n_envs, done, dtype=np.float32)
