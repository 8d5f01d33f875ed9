import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class NameClassifier(nn.Module):
    def __init__(self, n_letters=27, hidden=16, n_layers=2, n_countries=6):
        super().__init__()
        self.embed = nn.Embedding(n_letters, 8)
        self.gru = nn.GRU(8, hidden, n_layers, batch_first=True)
        self.fc = nn.Linear(hidden, n_countries)

    def forward(self, letters):
        _, hidden = self.gru(self.embed(letters))
        return self.fc(hidden[-1])


def make_names(n=50, length=9):
    names = torch.randint(1, 27, (n, length))
    return names, names[:, -1] % 6


def accuracy(model, names, country):
    with torch.no_grad():
        return (model(names).argmax(dim=-1) == country).float().mean().item()


names, country = make_names()
model = NameClassifier()
loss_fn = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for epoch in range(3):
    for x, y in DataLoader(TensorDataset(names, country), batch_size=10):
        out = model(x)
        loss = loss_fn(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: {loss.item():.4f} {accuracy(model, names, country):.2f}")
