import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class LetterNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(1, 6, 3, padding=1)
        self.pool = nn.AdaptiveMaxPool2d(3)
        self.fc = nn.Linear(54, 5)

    def forward(self, x):
        return self.fc(self.pool(torch.relu(self.stem(x))).flatten(1))


glyphs = torch.rand(61, 1, 9, 9)
letters = torch.arange(61) % 5
loader = DataLoader(TensorDataset(glyphs, letters), batch_size=12)
net = LetterNet()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)

for epoch in range(2):
    for x, y in loader:
        loss = criterion(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch} loss {loss.item():.4f}")

confused = {}
with torch.no_grad():
    for x, y in loader:
        best = net(x).topk(1, dim=1).indices.squeeze()
        for guess, truth in zip(best, y):
            if guess != truth:
                key = (truth.item(), guess.item())
                confused[key] = confused.get(key, 0) + 1
print("different confusions:", len(confused), "errors:", sum(confused.values()))
