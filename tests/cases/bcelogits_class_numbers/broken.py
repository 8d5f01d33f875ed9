import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

GENRES = ["action", "comedy", "drama", "horror", "romance", "thriller"]
torch.manual_seed(0)


class MovieDataset(Dataset):
    def __init__(self, n=40, n_words=50):
        g = torch.Generator().manual_seed(1)
        self.bow = torch.rand(n, n_words, generator=g)
        self.genre = torch.randint(0, len(GENRES), (n,), generator=g)

    def __len__(self):
        return len(self.bow)

    def __getitem__(self, i):
        return self.bow[i], self.genre[i]


class GenreNet(nn.Module):
    def __init__(self, n_words=50, n_genres=len(GENRES)):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_words, 32), nn.ReLU(), nn.Dropout(0.1))
        self.head = nn.Linear(32, n_genres)

    def forward(self, x):
        return self.head(self.body(x))


def train(model, loader, epochs=2):
    criterion = nn.BCEWithLogitsLoss()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    for epoch in range(epochs):
        total = 0.0
        for features, target in loader:
            optimizer.zero_grad()
            output = model(features)
            loss = criterion(output, target)
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(f"epoch {epoch}: {total / len(loader):.4f}")


train(GenreNet(), DataLoader(MovieDataset(), batch_size=10, shuffle=True))
