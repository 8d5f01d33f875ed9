import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

BATCH = 8


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3, padding=1)
        self.fc = nn.Linear(4 * 8 * 8, 3)

    def forward(self, x):
        h = torch.relu(self.conv(x))
        return self.fc(h.view(BATCH, -1))


torch.manual_seed(0)
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
ds = TensorDataset(torch.rand(20, 1, 8, 8), torch.randint(0, 3, (20,)))
for x, y in DataLoader(ds, batch_size=BATCH):
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(round(loss.item(), 4))
