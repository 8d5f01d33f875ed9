import torch
from torch import nn, optim


class EyeTracker(nn.Module):
    """Gaze direction (x, y) from a picture of an eye."""

    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU())
        self.gaze = nn.Linear(4 * 8 * 8, 2)

    def forward(self, eye):
        return self.gaze(self.features(eye).flatten(1))


def stream(n):
    """One camera frame after another."""
    for _ in range(n):
        gaze = torch.rand(2) * 6 + 2
        ys, xs = torch.arange(10.0)[:, None], torch.arange(10.0)[None, :]
        frame = torch.exp(-((xs - gaze[0]) ** 2 + (ys - gaze[1]) ** 2) / 4)
        yield frame[None], gaze[None] / 10


torch.manual_seed(6)
tracker = EyeTracker()
criterion = nn.MSELoss()
optimizer = optim.SGD(tracker.parameters(), lr=0.05)

total = 0.0
for count, (frame, gaze) in enumerate(stream(30), start=1):
    optimizer.zero_grad()
    estimate = tracker(frame.unsqueeze(0))
    loss = criterion(estimate, gaze)
    loss.backward()
    optimizer.step()
    total += loss.item()
    if count % 10 == 0:
        print(f"{count} frames, mean loss {total / count:.4f}")
