import torch
import torch.nn as nn


class Encoder(nn.Module):
    def __init__(self, n_in=20, n_out=4):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_in, 16), nn.ReLU(), nn.Linear(16, n_out))

    def forward(self, x):
        return self.net(x)


class Pipeline(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = Encoder()
        self.head = nn.Linear(4, 5)
        self.last_features = None

    def forward(self, x):
        features = self.encoder(x).detach()
        self.last_features = features
        return self.head(features)


torch.manual_seed(73)
genre = torch.arange(100) % 5
songs = torch.randn(100, 20) + torch.randn(5, 20)[genre] * 0.7
model = Pipeline()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)

for epoch in range(12):
    for x, y in zip(songs.split(25), genre.split(25)):
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if epoch % 4 == 3:
        spread = model.last_features.std().item()
        print(f"epoch {epoch + 1} loss {loss.item():.4f} spread {spread:.3f}")
