import numpy as np
import torch


class FrameWorld:
    """A bright square that moves left or right."""

    def __init__(self, size, seed):
        self.size = size
        self.rng = np.random.RandomState(seed)
        self.x = size // 2

    def render(self):
        frame = np.zeros((1, self.size, self.size), np.float32)
        y = self.size // 3
        frame[:, y:y + 6, self.x:self.x + 6] = 1.0
        return frame

    def step(self):
        before = self.render()
        action = self.rng.randint(2)
        self.x = int(np.clip(self.x + (4 if action else -4), 0, self.size - 6))
        return before, action, self.render()


class ReplayStore:
    def __init__(self, capacity):
        self.capacity, self.rows = capacity, []
        self.rng = np.random.RandomState(1)

    def add(self, *row):
        self.rows.append(row)
        del self.rows[:-self.capacity]

    def sample(self, n):
        picked = [self.rows[i] for i in self.rng.randint(len(self.rows), size=n)]
        a, b, c = zip(*picked)
        return torch.from_numpy(np.stack(a)), torch.tensor(b), torch.from_numpy(np.stack(c))
