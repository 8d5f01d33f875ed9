"""A small convolutional network on pictures of one bright corner, with a confusion matrix."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

CLASSES = 4


class ConvNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 8, 3, padding=1)
        self.norm1 = nn.GroupNorm(2, 8)
        self.conv2 = nn.Conv2d(8, 16, 3, padding=1)
        self.gain = nn.Parameter(torch.ones(16, 1, 1))  # one factor a channel
        self.fc1 = nn.Linear(16 * 4 * 4, 32)
        self.fc2 = nn.Linear(32, CLASSES)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.norm1(self.conv1(x))), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)) * self.gain, 2)
        x = x.view(x.size(0), -1)
        return self.fc2(F.relu(self.fc1(x)))


def pictures(n, generator):
    labels = torch.randint(0, CLASSES, (n,), generator=generator)
    images = torch.rand(n, 3, 16, 16, generator=generator)
    for i, k in enumerate(labels.tolist()):
        images[i, :, 8 * (k // 2):8 * (k // 2) + 8, 8 * (k % 2):8 * (k % 2) + 8] += 0.7
    mean = torch.tensor([0.5, 0.5, 0.5]).view(3, 1, 1)
    std = torch.tensor([0.3, 0.3, 0.3]).view(3, 1, 1)
    return TensorDataset((images - mean) / std, labels)


def evaluate(model, loader):
    confusion = torch.zeros(CLASSES, CLASSES, dtype=torch.long)
    model.eval()
    with torch.no_grad():
        for images, labels in loader:
            predicted = model(images).argmax(dim=1)
            for t, p in zip(labels.tolist(), predicted.tolist()):
                confusion[t, p] += 1
    recall = confusion.diag() / confusion.sum(dim=1).clamp(min=1)
    return confusion, recall


def main():
    g = torch.Generator().manual_seed(0)
    torch.manual_seed(0)
    train = DataLoader(pictures(60, g), batch_size=16, shuffle=True, generator=g)
    test = DataLoader(pictures(21, g), batch_size=8)
    model = ConvNet()
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.5)
    for epoch in range(2):
        model.train()
        running_loss = 0.0
        for images, labels in train:
            optimizer.zero_grad()
            loss = criterion(model(images), labels)
            loss.backward()
            optimizer.step()
            running_loss += loss.item() * images.size(0)
        scheduler.step()
        print(f"epoch {epoch}: {running_loss / 60:.4f}")
    confusion, recall = evaluate(model, test)
    print(confusion.tolist(), [round(r, 2) for r in recall.tolist()])


if __name__ == "__main__":
    main()
