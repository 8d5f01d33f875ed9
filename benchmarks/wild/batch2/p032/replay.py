import collections

import numpy as np

Experience = collections.namedtuple("Experience", ["state", "action", "reward", "done", "new_state"])


class ExperienceBuffer:
    def __init__(self, capacity, seed):
        self.buffer = collections.deque(maxlen=capacity)
        self.rng = np.random.RandomState(seed)

    def __len__(self):
        return len(self.buffer)

    def append(self, experience):
        self.buffer.append(experience)

    def sample(self, batch_size):
        indices = self.rng.choice(len(self.buffer), batch_size, replace=False)
        states, actions, rewards, dones, next_states = zip(*[self.buffer[i] for i in indices])
        return (np.array(states), np.array(actions, dtype=np.uint8), np.array(rewards, dtype=np.float32),
                np.array(dones, dtype=np.uint8), np.array(next_states))
