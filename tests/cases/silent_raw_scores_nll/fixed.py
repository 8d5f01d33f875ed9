import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super(Net, self).__init__()
        self.conv1 = nn.Conv2d(1, 6, 3, padding=1)
        self.conv2 = nn.Conv2d(6, 8, 3, padding=1)
        self.pool = nn.MaxPool2d(2)
        self.fc1 = nn.Linear(8 * 4 * 4, 32)
        self.fc2 = nn.Linear(32, 4)

    def forward(self, x):
        x = self.pool(torch.relu(self.conv1(x)))
        x = self.pool(torch.relu(self.conv2(x)))
        x = torch.flatten(x, 1)
        x = torch.relu(self.fc1(x))
        return torch.log_softmax(self.fc2(x), dim=1)


def quadrants(n):
    """Which quarter of the picture is bright."""
    label = torch.randint(0, 4, (n,))
    image = 0.3 * torch.randn(n, 1, 16, 16)
    for i, k in enumerate(label.tolist()):
        r, c = 8 * (k // 2), 8 * (k % 2)
        image[i, :, r:r + 8, c:c + 8] += 1
    return TensorDataset(image, label)


torch.manual_seed(16)
train_loader = DataLoader(quadrants(96), batch_size=16, shuffle=True)
model = Net()
criterion = nn.NLLLoss()
optimizer = optim.SGD(model.parameters(), lr=0.02, momentum=0.9)

for epoch in range(3):
    running, correct = 0.0, 0
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        outputs = model(inputs)
        loss = criterion(outputs, labels)
        loss.backward()
        optimizer.step()
        running += loss.item()
        correct += (outputs.argmax(1) == labels).sum().item()
    print("epoch %d loss %.4f accuracy %.3f" % (epoch + 1, running / len(train_loader), correct / 96))
