import numpy as np


class ChainWorld:
    n_actions = 2

    def __init__(self, n_states, seed=0):
        self.n_states = n_states
        self.rng = np.random.RandomState(seed)

    def _obs(self):
        obs = np.zeros(self.n_states, dtype=np.float32)
        obs[self.pos] = 1.0
        return obs

    def reset(self):
        self.pos, self.t = 0, 0
        return self._obs()

    def step(self, action):
        if self.rng.rand() < 0.1:
            action = 1 - action
        self.pos = min(max(self.pos + (1 if action == 1 else -1), 0), self.n_states - 1)
        self.t += 1
        done = self.pos == self.n_states - 1 or self.t >= 30
        return self._obs(), float(self.pos == self.n_states - 1), done
