import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(28)
n_digits, batch_size = 10, 10

prototypes = torch.randn(n_digits, 20)
digit = torch.randint(0, n_digits, (200,))
image = prototypes[digit] + 0.4 * torch.randn(200, 20)
train = DataLoader(TensorDataset(image[:150], digit[:150]), batch_size=batch_size, shuffle=True)
valid = DataLoader(TensorDataset(image[150:], digit[150:]), batch_size=batch_size)

net = nn.Sequential(nn.Linear(20, 32), nn.ReLU(), nn.Linear(32, n_digits))
criterion = nn.CrossEntropyLoss()
optimizer = optim.SGD(net.parameters(), lr=0.1, momentum=0.9)


def validate():
    correct = total = 0
    net.eval()
    with torch.no_grad():
        for x, y in valid:
            output = net(x)
            pred = output.argmax(1)
            correct += (pred == y).sum().item()
            total += y.size(0)
    net.train()
    return 100 * correct / total


for epoch in range(4):
    for x, y in train:
        optimizer.zero_grad()
        loss = criterion(net(x), y)
        loss.backward()
        optimizer.step()
    print("epoch {} loss {:.4f} accuracy {:.1f}%".format(epoch + 1, loss.item(), validate()))
