import numpy as np
import torch
import torch.nn as nn

rng = np.random.default_rng(0)
torch.manual_seed(0)

# as returned by imread: height x width x RGB
photos = rng.integers(0, 256, size=(32, 20, 20, 3), dtype=np.uint8)
is_cat = rng.integers(0, 2, size=32)

x_all = torch.from_numpy(photos).float() / 255.0
y_all = torch.from_numpy(is_cat)


class CatNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.block1 = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.MaxPool2d(2))
        self.block2 = nn.Sequential(nn.Conv2d(8, 16, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1))
        self.classifier = nn.Linear(16, 2)

    def forward(self, x):
        x = self.block1(x)
        x = self.block2(x)
        return self.classifier(x.view(x.shape[0], -1))


net = CatNet()
loss_fn = nn.CrossEntropyLoss()
optim = torch.optim.Adam(net.parameters(), lr=1e-3)

for epoch in range(3):
    running = 0.0
    for k in range(0, len(x_all), 8):
        xb, yb = x_all[k:k + 8], y_all[k:k + 8]
        optim.zero_grad()
        loss = loss_fn(net(xb), yb)
        loss.backward()
        optim.step()
        running += loss.item()
    print(f"epoch {epoch} avg loss {running / 4:.4f}")
