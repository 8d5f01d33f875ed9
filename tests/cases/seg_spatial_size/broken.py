import torch
import torch.nn as nn


def conv_block(n_in, n_out):
    return nn.Sequential(nn.Conv2d(n_in, n_out, kernel_size=3), nn.ReLU(inplace=True))


class RoadSegmenter(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.blocks = nn.Sequential(
            conv_block(3, width),
            conv_block(width, width),
            conv_block(width, width),
        )
        self.classify = nn.Conv2d(width, 2, kernel_size=1)

    def forward(self, x):
        return self.classify(self.blocks(x))


class Session:
    def __init__(self, model, lr=1e-2):
        self.model = model
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)

    def update(self, frames, road):
        logits = self.model(frames)
        loss = self.criterion(logits, road)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()


def frames_and_roads(n):
    frames = torch.rand(n, 3, 32, 32)
    road = (frames.mean(dim=1) > 0.5).long()
    return frames, road


torch.manual_seed(77)
session = Session(RoadSegmenter())
for epoch in range(5):
    print(f"epoch {epoch} loss {session.update(*frames_and_roads(6)):.4f}")
