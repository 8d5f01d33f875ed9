import torch
from torch import nn


class EmbeddingNet(nn.Module):
    def __init__(self, n_users, n_movies, factors, dropout, hidden, minmax):
        super().__init__()
        self.u = nn.Embedding(n_users, factors)
        self.m = nn.Embedding(n_movies, factors)
        self.drop = nn.Dropout(dropout)
        self.hidden = nn.Sequential(nn.Linear(2 * factors, hidden), nn.ReLU(), nn.Linear(hidden, 1))
        self.low, self.high = minmax

    def forward(self, users, movies):
        features = torch.cat([self.u(users), self.m(movies)], dim=1)
        score = torch.sigmoid(self.hidden(self.drop(features))).squeeze(1)
        return self.low + (self.high - self.low) * score
