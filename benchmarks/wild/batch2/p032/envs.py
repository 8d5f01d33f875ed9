import numpy as np


class CatchEnv:
    """a ball falls, the paddle moves left / stays / moves right"""

    n_actions = 3

    def __init__(self, grid, seed):
        self.grid = grid
        self.rng = np.random.RandomState(seed)
        self.observation_shape = (1, grid, grid)

    def _obs(self):
        obs = np.zeros(self.observation_shape, dtype=np.float32)
        obs[0, self.ball_y, self.ball_x] = 1.0
        obs[0, -1, self.paddle] = 0.5
        return obs

    def reset(self):
        self.ball_y, self.ball_x = 0, self.rng.randint(self.grid)
        self.paddle = self.grid // 2
        return self._obs()

    def step(self, action):
        self.paddle = int(np.clip(self.paddle + action - 1, 0, self.grid - 1))
        self.ball_y += 1
        done = self.ball_y == self.grid - 1
        reward = (1.0 if self.paddle == self.ball_x else -1.0) if done else 0.0
        return self._obs(), reward, done
