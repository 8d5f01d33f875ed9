import numpy as np


class ToyLander:
    """The right engine depends on the sign of the first two readings."""

    def __init__(self, n_obs, n_actions, max_steps):
        self.n_obs, self.n_actions, self.max_steps = n_obs, n_actions, max_steps

    def reset(self):
        self.t = 0
        self.obs = np.random.randn(self.n_obs).astype(np.float32)
        return self.obs

    def step(self, action):
        best = int(self.obs[0] > 0) + 2 * int(self.obs[1] > 0)
        reward = 1.0 if action == best % self.n_actions else -0.2
        self.t += 1
        self.obs = np.random.randn(self.n_obs).astype(np.float32)
        return self.obs, reward, self.t >= self.max_steps
