import torch.nn as nn


class ConvDQN(nn.Module):
    def __init__(self, input_shape, n_actions):
        super().__init__()
        c, h, w = input_shape
        self.net = nn.Sequential(
            nn.Conv2d(c, 8, 3, padding=1), nn.ReLU(), nn.Flatten(),
            nn.Linear(8 * h * w, 32), nn.ReLU(), nn.Linear(32, n_actions))

    def forward(self, x):
        return self.net(x)
