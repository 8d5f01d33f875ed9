import warnings

import torch
import torch.nn as nn

warnings.filterwarnings("ignore")
torch.manual_seed(0)


class BoxRegressor(nn.Module):
    """Finds the one bright square of an image: cx, cy, w, h and how sure it is."""

    def __init__(self, outputs=4):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 8, 3, stride=2), nn.ReLU(),
            nn.Conv2d(8, 8, 3, stride=2), nn.ReLU(),
            nn.Flatten(),
        )
        self.box = nn.Linear(8 * 5 * 5, outputs)

    def forward(self, x):
        return self.box(self.features(x))


def squares(n, size=24):
    images = torch.zeros(n, 1, size, size)
    boxes = torch.zeros(n, 5)
    for i in range(n):
        w = int(torch.randint(3, 8, ()))
        x, y = torch.randint(0, size - w, (2,)).tolist()
        images[i, 0, y:y + w, x:x + w] = 1.0
        boxes[i] = torch.tensor([x + w / 2, y + w / 2, w, w, size]) / size
    return images, boxes


net = BoxRegressor()
criterion = nn.MSELoss()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
images, boxes = squares(32)

for epoch in range(5):
    optimizer.zero_grad()
    loss = criterion(net(images), boxes)
    loss.backward()
    optimizer.step()
    print(f"epoch {epoch}: {loss.item():.5f}")
