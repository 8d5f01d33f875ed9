import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
np.random.seed(0)
CLASSES = ["cat", "dog", "bird"]


class SmallCNN(nn.Module):
    def __init__(self, n_classes=3):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 8, 3, padding=1)
        self.bn1 = nn.BatchNorm2d(8)
        self.conv2 = nn.Conv2d(8, 16, 3, padding=1)
        self.bn2 = nn.BatchNorm2d(16)
        self.fc = nn.Linear(16 * 4 * 4, n_classes)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.bn1(self.conv1(x))), 2)
        x = F.max_pool2d(F.relu(self.bn2(self.conv2(x))), 2)
        x = x.view(x.size(0), -1)
        return self.fc(x)


def preprocess(image):
    """HWC uint8 -> CHW float"""
    tensor = torch.from_numpy(image).permute(2, 0, 1).float() / 255
    return (tensor - 0.5) / 0.5


def predict(model, image):
    model.eval()
    with torch.no_grad():
        logits = model(preprocess(image))
        probs = logits.softmax(dim=1)
    return CLASSES[int(probs.argmax())], probs.max().item()


images = torch.rand(48, 3, 16, 16)
labels = torch.randint(0, 3, (48,))
loader = DataLoader(TensorDataset(images, labels), batch_size=12)
model = SmallCNN()
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(2):
    model.train()
    for x, y in loader:
        opt.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        opt.step()
    print("epoch", epoch, round(loss.item(), 4))

photo = np.random.randint(0, 256, (16, 16, 3), dtype=np.uint8)
name, conf = predict(model, photo)
print(f"predicted {name} with {conf:.3f}")
