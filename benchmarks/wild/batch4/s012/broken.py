import random
from collections import deque, namedtuple

import torch
from torch import nn
import torch.nn.functional as F

Transition = namedtuple("Transition", "state action reward next_state done")


class LSTMQNet(nn.Module):
    def __init__(self, n_actions, memory=32):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(4, 8, 3, padding=1), nn.ReLU(),
            nn.Conv1d(8, 16, 3, stride=2, padding=1), nn.ReLU(),
        )
        self.lstm = nn.LSTM(6, memory, 1)
        self.fc = nn.Linear(16 * memory, n_actions)

    def forward(self, frames):
        feats = self.conv(frames)
        out, _ = self.lstm(feats)
        return self.fc(out.flatten(1))


class Replay:
    def __init__(self, capacity):
        self.buffer = deque(maxlen=capacity)

    def push(self, *args):
        self.buffer.append(Transition(*args))

    def sample(self, n):
        rows = random.sample(self.buffer, n)
        cols = Transition(*zip(*rows))
        return (torch.stack(cols.state), torch.tensor(cols.action), torch.tensor(cols.reward),
                torch.stack(cols.next_state), torch.tensor(cols.done))


def env_step(state, action):
    good = int(state.mean() > 0)
    reward = 1.0 if action == good else -1.0
    return torch.randn(4, 12) + random.choice([-0.4, 0.4]), reward, random.random() < 0.1


def main():
    random.seed(1)
    torch.manual_seed(1)
    q, target = LSTMQNet(2), LSTMQNet(2)
    target.load_state_dict(q.state_dict())
    opt = torch.optim.Adam(q.parameters(), lr=2e-3)
    replay = Replay(500)
    state = torch.randn(4, 12)
    for _ in range(300):
        action = random.randrange(2)
        nxt, reward, done = env_step(state, action)
        replay.push(state, action, reward, nxt, float(done))
        state = nxt
    for it in range(40):
        s, a, r, s2, d = replay.sample(32)
        with torch.no_grad():
            goal = r + 0.5 * (1 - d) * target(s2).max(1).values
        pred = q(s).gather(1, a.unsqueeze(1)).squeeze(1)
        loss = F.smooth_l1_loss(pred, goal)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 10 == 9:
            target.load_state_dict(q.state_dict())
            print("it", it + 1, "loss", round(loss.item(), 4))
    with torch.no_grad():
        s = replay.sample(16)[0]
        print("q alone", round(q(s[5:6])[0, 0].item(), 4), "in batch", round(q(s)[5, 0].item(), 4))


if __name__ == "__main__":
    main()
