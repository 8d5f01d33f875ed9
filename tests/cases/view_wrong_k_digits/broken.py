import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super(Net, self).__init__()
        self.conv1 = nn.Conv2d(3, 8, 3, padding=1)
        self.conv2 = nn.Conv2d(8, 16, 3, padding=1)
        self.pool = nn.MaxPool2d(2, 2)
        self.fc1 = nn.Linear(16 * 4 * 4, 40)
        self.fc2 = nn.Linear(40, 10)

    def forward(self, x):
        x = self.pool(F.relu(self.conv1(x)))
        x = self.pool(F.relu(self.conv2(x)))
        x = x.view(-1, 16 * 4 * 4)
        x = F.relu(self.fc1(x))
        return self.fc2(x)


def get_data(n=60):
    g = torch.Generator().manual_seed(0)
    images = torch.rand(n, 3, 32, 32, generator=g)
    labels = torch.randint(0, 10, (n,), generator=g)
    return images, labels


if __name__ == "__main__":
    torch.manual_seed(0)
    net = Net()
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    images, labels = get_data()
    for epoch in range(2):
        for i in range(0, 60, 20):
            optimizer.zero_grad()
            outputs = net(images[i:i + 20])
            loss = criterion(outputs, labels[i:i + 20])
            loss.backward()
            optimizer.step()
        print("[%d] loss: %.4f" % (epoch + 1, loss.item()))
