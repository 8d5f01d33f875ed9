import torch
import torch.nn as nn
from torch.autograd import Variable
from torch.utils.data import DataLoader, TensorDataset


class SharedEncoder(nn.Module):
    def __init__(self):
        super(SharedEncoder, self).__init__()
        self.conv = nn.Conv1d(1, 6, 5, padding=2)
        self.pool = nn.AdaptiveMaxPool1d(3)
        self.kind = nn.Linear(18, 3)
        self.level = nn.Linear(18, 1)

    def forward(self, signal):
        features = torch.relu(self.conv(signal))
        features = self.pool(features).flatten(1)
        return self.kind(features), self.level(features).squeeze(1)


def signals(n):
    kind = torch.randint(0, 3, (n,))
    level = torch.rand(n) + 0.5
    t = torch.linspace(0, 1, 40)
    wave = torch.sin(6.28 * (kind[:, None] + 1) * 2 * t) * level[:, None]
    return TensorDataset((wave + 0.1 * torch.randn(n, 40)).unsqueeze(1), kind, level)


torch.manual_seed(30)
loader = DataLoader(signals(72), batch_size=12, shuffle=True)
model = SharedEncoder()
ce, mse = nn.CrossEntropyLoss(), nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(6):
    running = 0.0
    for signal, kind, level in loader:
        optimizer.zero_grad()
        kind_scores, level_guess = model(signal)
        loss = ce(kind_scores, kind) + mse(level_guess, level)
        loss.backward()
        optimizer.step()
        running += loss.item()
    if epoch % 2 == 1:
        print("epoch %d: %.4f" % (epoch + 1, running / len(loader)))
