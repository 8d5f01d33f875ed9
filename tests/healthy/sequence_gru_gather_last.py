import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset

# Right-padded heart-rate records; the state is read at the last real step of each row.
torch.manual_seed(10)
N, T = 38, 14
lengths = torch.randint(3, T + 1, (N,))
steps = torch.arange(T)
real = steps < lengths.unsqueeze(1)
records = torch.where(real, 1.0 + 0.2 * torch.randn(N, T), torch.zeros(()))
scores = torch.stack([records[i, : lengths[i]].mean() * lengths[i] / T for i in range(N)])
data = TensorDataset(records.unsqueeze(-1), lengths, scores.unsqueeze(-1))


class Recorder(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(input_size=1, hidden_size=20, batch_first=True)
        self.out = nn.Linear(20, 1)

    def forward(self, x, n):
        h, _ = self.gru(x)
        index = (n - 1).view(-1, 1, 1).expand(-1, 1, h.size(2))
        last = h.gather(1, index).squeeze(1)
        return self.out(last)


model = Recorder()
optimizer = optim.Adam(model.parameters(), lr=0.01)
mse = nn.MSELoss()
train_set, valid_set = torch.utils.data.random_split(data, [30, 8])
train_loader = DataLoader(train_set, batch_size=8, shuffle=True)
valid_loader = DataLoader(valid_set, batch_size=5)
best = float("inf")
for epoch in range(3):
    for x, n, score in train_loader:
        optimizer.zero_grad()
        loss = mse(model(x, n), score)
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        errors = [((model(x, n) - score) ** 2).sum().item() for x, n, score in valid_loader]
    best = min(best, sum(errors) / len(valid_set))
    print(f"{epoch}: valid {sum(errors) / len(valid_set):.4f}")
print(f"best {best:.4f}")
