import numpy as np
import torch
from torch import nn


class Autoencoder(nn.Module):
    def __init__(self, n, code=4):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(n, 16), nn.ReLU(), nn.Linear(16, code))
        self.dec = nn.Sequential(nn.Linear(code, 16), nn.ReLU(), nn.Linear(16, n))

    def forward(self, x):
        return self.dec(self.enc(x))


def spectra(n=60, bins=25, seed=5):
    rng = np.random.default_rng(seed)
    centre = rng.uniform(5, 20, size=(n, 1))
    grid = np.arange(bins)[None, :]
    return np.exp(-((grid - centre) ** 2) / 8)


def fit(data, epochs=10, batch=20):
    model = Autoencoder(data.shape[1])
    loss_fn = nn.MSELoss()
    opt = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(epochs):
        for i in range(0, len(data), batch):
            x = torch.from_numpy(data[i:i + batch])
            loss = loss_fn(model(x), x)
            opt.zero_grad()
            loss.backward()
            opt.step()
        if epoch % 3 == 0:
            print(f"epoch {epoch} reconstruction {loss.item():.5f}")


torch.manual_seed(5)
fit(spectra())
