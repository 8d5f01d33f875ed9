from torch import nn


class FeatureExtractor(nn.Module):
    def __init__(self, size, n_labels):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(1, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(8, 12, 3, padding=1), nn.ReLU(), nn.Flatten())
        self.head = nn.Linear(12 * (size // 2) ** 2, n_labels)

    def forward(self, frames):
        return self.head(self.conv(frames))


def train_epoch(model, loader, criterion, opt):
    model.train()
    total = 0.0
    for frames, labels in loader:
        loss = criterion(model(frames), labels)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(labels)
    return total / len(loader.dataset)
